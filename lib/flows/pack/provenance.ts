import { type Digest, sha256 } from '../../../formats/digest.ts';
import { encodeProvenance, type ResolvedDependency } from '../../../formats/in-toto/provenance.ts';
import { annotations } from '../../../formats/oci/descriptor.ts';
import { encodeLockInputs } from '../../../formats/solution/lock.ts';
import { lockInputs } from './lock.ts';
import type { Inputs } from './root.ts';

/**
 * Returns the SLSA provenance of a Solution: the definition, whose bytes have the digest `definition`, and all that it
 * names, resolved.
 */
export function provenanceOf(inputs: Inputs, definition: Digest): Uint8Array {
  const { name, version } = inputs.definition;
  return encodeProvenance({
    name,
    version,
    created: inputs.created,
    definition,
    dependencies: dependenciesOf(inputs),
  });
}

function dependenciesOf(inputs: Inputs): ResolvedDependency[] {
  const { images, components, given, installer } = inputs;
  return [
    {
      name: 'solution.lock',
      digest: sha256(encodeLockInputs(lockInputs(inputs))),
      annotations: { without: 'the lines "root = ", which names what this is part of, and "proof = "' },
    },
    ...images.flatMap(({ definition: { reference }, published, referrers }) => [
      { uri: `oci://${reference}`, digest: published.digest, mediaType: published.mediaType },
      ...referrers.map(({ subject, descriptor: { digest, mediaType } }) => ({
        uri: `oci://${reference}`,
        digest,
        mediaType,
        annotations: { subject },
      })),
    ]),
    ...components.flatMap(({ sources }) =>
      sources.map(({ address, url, version, digest }) => ({
        uri: url ?? address,
        digest,
        ...(version === undefined ? {} : { annotations: { version } }),
      })),
    ),
    ...components.flatMap(({ metadata, digest, chart }) => [
      { name: `components/${metadata.name}`, digest, annotations: { kind: metadata.kind } },
      ...(chart
        ? [{ name: chart.annotations![annotations.title]!, digest: chart.digest, mediaType: chart.mediaType }]
        : []),
    ]),
    ...given.map(({ path, digest }) => ({ name: path, digest })),
    ...(installer?.layers ?? []).map(({ digest, annotations: notes }) => ({
      name: notes![annotations.title]!,
      digest,
    })),
  ];
}
