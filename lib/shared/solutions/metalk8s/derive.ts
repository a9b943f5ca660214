import { utf8 } from '../../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { formatDocuments } from '../../../../formats/manifest/documents.ts';
import { emitYaml } from '../../../../formats/manifest/emit.ts';
import { metalk8sId, metalk8sPaths, metalk8sReference } from '../../../../formats/metalk8s/names.ts';
import { operatorObjects } from '../../../../formats/metalk8s/operator.ts';
import { annotations, type Descriptor, mediaTypes, noPlatform } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../../../formats/oci/manifest.ts';
import {
  type ComponentMetadata,
  encodeMetadata,
  type SolutionMetadata,
  solutionAnnotations,
  solutionTypes,
  UNDATED,
} from '../../../../formats/solution/metadata.ts';
import { SOLUTIONS_API } from '../../../../formats/solution/solutions-api.ts';
import type { Metalk8sMedium } from './found.ts';

/** Room for a signature beside a medium, as for one in an archive. */
const SLOTS = { count: 1, size: 8192 } as const;

/**
 * What a medium is as an archive: its root, without the digests of sums, and the content that the medium does not hold.
 */
export interface Derived {
  /** Writes the root with these annotations beside its own. */
  readonly encodeRoot: (sums: Readonly<Record<string, string>>) => Uint8Array;
  /** Manifests, metadata and files that are made of what the medium says. */
  readonly made: ReadonlyMap<Digest, Uint8Array>;
}

/**
 * Makes of a medium for MetalK8s the archive that its Solution would be. The same medium gives the same root on any
 * machine, and that names all of the medium that is ever used.
 */
export function deriveArchive(medium: Metalk8sMedium): Derived {
  const { name, version } = medium.solution;
  const made = new Map<Digest, Uint8Array>();
  const add = (bytes: Uint8Array, mediaType: string): Descriptor => {
    const digest = sha256(bytes);
    made.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const layers = filesOf(medium).map(([path, bytes]) => ({
    ...add(bytes, solutionTypes.file),
    annotations: { [annotations.title]: path },
  }));
  const config = add(encodeMetadata(metadataOf(medium)), solutionTypes.metadata);
  const artifact = add(encodeManifest({ artifactType: solutionTypes.solution, config, layers }), mediaTypes.manifest);
  const id = metalk8sId(name, version);
  const manifests = [
    { ...artifact, artifactType: solutionTypes.solution, platform: noPlatform },
    ...medium.images.map((image) => ({
      ...image.descriptor,
      annotations: { [annotations.refName]: metalk8sReference(id, image.name, image.tag) },
    })),
  ];
  return {
    made,
    encodeRoot: (sums) =>
      encodeIndex({
        artifactType: solutionTypes.solution,
        manifests,
        annotations: { [solutionAnnotations.name]: name, [solutionAnnotations.version]: version, ...sums },
      }),
  };
}

/** The images that a medium lists, `name:tag`; where it lists none, those that it has. */
export function listedImages({ solution, images }: Pick<Metalk8sMedium, 'solution' | 'images'>): readonly string[] {
  return solution.images ?? images.map(({ name, tag }) => `${name}:${tag}`);
}

/** Whether there is an operator to bring up: MetalK8s takes one for granted, and not every Solution has one. */
export function hasOperator({ solution, images }: Pick<Metalk8sMedium, 'solution' | 'images'>): boolean {
  const { operator, statesOperator } = solution;
  return statesOperator || images.some(({ name, tag }) => name === operator.name && tag === operator.tag);
}

function filesOf(medium: Metalk8sMedium): [string, Uint8Array][] {
  const { solution, roles, descriptions } = medium;
  const definitions = medium.crds.map(({ path, bytes }): [string, Uint8Array] => [
    `components/crds/${path.slice(metalk8sPaths.crds.length + 1)}`,
    bytes,
  ]);
  const operator = (): Uint8Array =>
    utf8(formatDocuments(operatorObjects(solution, roles, [...listedImages(medium)].sort())));
  const described = solution.era === 'manifest' ? descriptions[0]!.bytes : manifestOf(medium);
  return [
    [metalk8sPaths.manifest, described],
    ...definitions,
    ...(hasOperator(medium) ? [['components/operator/operator.yaml', operator()] as [string, Uint8Array]] : []),
  ];
}

/** The `manifest.yaml` that a medium of before 2.5.1 would have. */
function manifestOf(medium: Metalk8sMedium): Uint8Array {
  const { name, version, annotations: notes, operator } = medium.solution;
  const spec = { version, images: listedImages(medium), operator: { image: operator } };
  const metadata = { name, annotations: notes };
  return utf8(emitYaml({ apiVersion: SOLUTIONS_API, kind: 'Solution', metadata, spec }));
}

function metadataOf(medium: Metalk8sMedium): SolutionMetadata {
  const { name, version, displayName, annotations: notes } = medium.solution;
  const hasCrds = medium.crds.length > 0;
  const crds: ComponentMetadata = { name: 'crds', kind: 'manifests', after: [], entry: '', values: [] };
  const operator: ComponentMetadata = {
    name: 'operator',
    kind: 'manifests',
    namespace: name,
    after: hasCrds ? ['crds'] : [],
    entry: '',
    values: [],
    createNamespace: {},
  };
  return {
    formatVersion: 1,
    name,
    version,
    ...(displayName === undefined ? {} : { description: displayName }),
    ...(Object.keys(notes).length === 0 ? {} : { annotations: { ...notes } }),
    created: UNDATED,
    signatureSlots: SLOTS,
    components: [...(hasCrds ? [crds] : []), ...(hasOperator(medium) ? [operator] : [])],
  };
}
