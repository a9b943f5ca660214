import type { Bytes } from '../../../formats/bytes.ts';
import type { SbomKind } from '../../../formats/cyclonedx/kind.ts';
import { sha256 } from '../../../formats/digest.ts';
import { PREDICATE_LIMIT, predicateTypes } from '../../../formats/in-toto/predicate.ts';
import { type Descriptor, platformName } from '../../../formats/oci/descriptor.ts';
import type { Manifest } from '../../../formats/oci/manifest.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { solutionTypes } from '../../../formats/solution/metadata.ts';
import { type Closure, type Fetched, lendMemory, openChecked, type Transfer } from '../../kernel/content/index.ts';
import { type Flow, pool, SolpackError } from '../../kernel/events/index.ts';
import { type SbomImage, type SbomLayer, sbomsOf } from '../../parts/sbom/index.ts';
import type { ResolvedAttestation } from './attestations.ts';
import type { Content } from './content.ts';
import type { ResolvedImage } from './images.ts';

/** An SBOM that is to be made: of a manifest that can run, which an image of the definition leads to. */
export interface WantedSbom extends SbomImage {
  readonly name: string;
  readonly platform: string | undefined;
}

/**
 * Returns which SBOMs an image lacks: one for each platform that has none in `known`; an SBOM of the index counts for
 * all of them.
 */
export function wantedSboms(
  { definition: { reference }, descriptor, closure }: ResolvedImage,
  known: readonly ResolvedAttestation[],
  content: Content,
): WantedSbom[] {
  const has = new Set(known.map(({ about }) => about?.digest));
  if (has.has(descriptor.digest)) return [];
  const lacking = runnable(closure).filter(({ digest }) => !has.has(digest));
  return lacking.map(({ digest, platform, manifest }) => {
    const layers = manifest.layers.map((layer): SbomLayer => {
      const open = (signal: AbortSignal): Bytes => openLayer(content.transfer(layer), signal);
      return { mediaType: layer.mediaType, digest: layer.digest, open };
    });
    return { name: reference, digest, platform, layers };
  });
}

/**
 * Makes SBOMs in each of `formats`, several images at the same time. Reads every layer, once where images share it from
 * their lowest on. Throws `image-unsupported` where an SBOM is too large for an attestation.
 */
export async function makeSboms(
  wanted: readonly WantedSbom[],
  formats: readonly SbomKind['kind'][],
  content: Content,
  flow: Flow,
): Promise<Map<WantedSbom, ResolvedAttestation[]>> {
  const make = sbomsOf(wanted);
  const made = new Map<WantedSbom, ResolvedAttestation[]>();
  let begun = 0;
  await pool(wanted, { signal: flow.signal }, async (image, signal) => {
    const { name: reference, digest, platform } = image;
    begun += 1;
    const place = { number: begun, of: wanted.length };
    flow.onEvent({ type: 'step', step: 'sbom', subject: [reference, platform].filter(Boolean).join(' '), ...place });
    const sbom = await make(image, signal);
    const about = { reference, digest, platform };
    const added = formats.map((format): ResolvedAttestation => {
      const bytes = format === 'spdx' ? sbom.spdx() : sbom.bytes;
      if (bytes.length > PREDICATE_LIMIT) {
        throw new SolpackError('image-unsupported', reference, `its SBOM would have ${sizeWords(bytes.length)}`, {
          hint: `name one of at most ${sizeWords(PREDICATE_LIMIT)} for this image: sbom = "…"`,
        });
      }
      content.addBytes(bytes, solutionTypes.predicate, `the SBOM of ${reference}`);
      return { predicateType: predicateTypes[format], about, digest: sha256(bytes), size: bytes.length };
    });
    made.set(image, added);
  });
  return made;
}

/** Opens a layer in memory that is lent for it. */
async function* openLayer(transfer: Transfer, signal: AbortSignal): Bytes {
  const lent = lendMemory(transfer.descriptor.size);
  yield* openChecked(transfer, signal, lent.next);
  lent.done();
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
