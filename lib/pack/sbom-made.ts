import { sha256 } from '../../formats/digest.ts';
import { PREDICATE_LIMIT, predicateTypes } from '../../formats/in-toto/predicate.ts';
import { type Descriptor, platformName } from '../../formats/oci/descriptor.ts';
import type { Manifest } from '../../formats/oci/manifest.ts';
import { solutionTypes } from '../../formats/solution/metadata.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { Closure, Fetched } from '../manifests.ts';
import { openChecked } from '../move.ts';
import { makeSbom } from '../sbom/index.ts';
import type { ResolvedAttestation } from './attestations.ts';
import type { Content } from './content.ts';
import type { ResolvedImage } from './images.ts';

/**
 * Makes an SBOM for each platform of an image that has none in `known`; an SBOM of the index counts for all of them.
 * Reads every layer. Throws `image-unsupported` where an SBOM is too large for an attestation.
 */
export async function makeSboms(
  { definition: { reference }, descriptor, closure }: ResolvedImage,
  known: readonly ResolvedAttestation[],
  content: Content,
  flow: Flow,
): Promise<ResolvedAttestation[]> {
  const has = new Set(known.map(({ about }) => about?.digest));
  if (has.has(descriptor.digest)) return [];
  const made: ResolvedAttestation[] = [];
  for (const { digest, platform, manifest } of runnable(closure)) {
    if (has.has(digest)) continue;
    flow.onEvent({ type: 'step', step: 'sbom', subject: [reference, platform].filter(Boolean).join(' ') });
    const layers = manifest.layers.map((layer) => ({
      mediaType: layer.mediaType,
      open: () => openChecked(content.transfer(layer), flow.signal),
    }));
    const { bytes } = await makeSbom({ digest, name: reference, layers }, { signal: flow.signal });
    if (bytes.length > PREDICATE_LIMIT) {
      throw new SolpackError('image-unsupported', reference, `its SBOM would have ${bytes.length} bytes`, {
        hint: `name one of at most ${PREDICATE_LIMIT} bytes for this image: sbom = "…"`,
      });
    }
    content.addBytes(bytes, solutionTypes.predicate, `the SBOM of ${reference}`);
    made.push({
      predicateType: predicateTypes.cyclonedx,
      about: { reference, digest, platform },
      digest: sha256(bytes),
      size: bytes.length,
    });
  }
  return made;
}

interface Runnable {
  readonly digest: Descriptor['digest'];
  readonly platform: string | undefined;
  readonly manifest: Manifest;
}

/** Returns the manifests of a closure that can run. */
function runnable({ manifests }: Closure): Runnable[] {
  const entries = new Map(
    manifests
      .flatMap(({ value }) => (value.kind === 'index' ? value.manifests : []))
      .map((entry) => [entry.digest, entry]),
  );
  return manifests.flatMap(({ descriptor: { digest }, value }: Fetched): Runnable[] => {
    const platform = entries.get(digest)?.platform;
    if (value.kind === 'index' || platform?.os === 'unknown') return [];
    return [{ digest, platform: platform && platformName(platform), manifest: value }];
  });
}
