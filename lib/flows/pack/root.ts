import { annotations, type Descriptor, mediaTypes, noPlatform } from '../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../../formats/oci/manifest.ts';
import type { Definition } from '../../../formats/solution/definition.ts';
import { joinedRelations } from '../../../formats/solution/joined-relations.ts';
import { kubernetesVersions } from '../../../formats/solution/kubernetes-range.ts';
import { encodeManifestYaml } from '../../../formats/solution/manifest-yaml.ts';
import {
  encodeMetadata,
  type SolutionMetadata,
  solutionAnnotations,
  solutionTypes,
} from '../../../formats/solution/metadata.ts';
import { relationsOf } from '../../../formats/solution/relations.ts';
import type { UpgradeBound } from '../../../formats/solution/upgrade.ts';
import { readCatalog, sumsDigests } from '../../parts/archives/index.ts';
import { isRenderable } from '../../shared/rendering/index.ts';
import { type NamedAttestation, predicateLayer } from './attestations.ts';
import type { ResolvedComponent } from './components.ts';
import type { Content } from './content.ts';
import type { ResolvedImage } from './images.ts';
import { installerEntry, type ResolvedInstaller } from './installer.ts';
import type { Metalk8sInputs } from './metalk8s-inputs.ts';
import { wantedPlatforms } from './platforms.ts';
import { type ResolvedReferrer, rootEntry } from './referrers.ts';
import type { GivenSbom } from './sbom-given.ts';

/** Signature slots of a new archive: how many, and bytes in each. */
const SLOTS = { count: 8, size: 8192 } as const;

/** Everything that a definition names, resolved. */
export interface Inputs {
  readonly definition: Definition;
  readonly images: readonly ResolvedImage[];
  readonly components: readonly ResolvedComponent[];
  /** Seconds since 1970. */
  readonly created: number;
  /** SBOMs in files that the definition names. */
  readonly given: readonly GivenSbom[];
  /** The programs that are included; absent where none do. */
  readonly installer?: ResolvedInstaller;
  /** The kinds that its objects were proved to define, as `group/version/Kind`; absent where nothing was proved yet. */
  readonly kinds?: readonly string[];
  /** Whether the archive has the view that the importer of MetalK8s asks for; absent where it has not. */
  readonly metalk8s?: true;
}

/** A resolved Solution, of which the root is made. */
export interface ResolvedSolution extends Inputs {
  /** The attestations of it and of its images. */
  readonly attestations: readonly NamedAttestation[];
  /** What the importer of MetalK8s asks for; undefined where nobody asked for that view. */
  readonly view?: Metalk8sInputs | undefined;
}

/**
 * Makes the solution artifact and the root index, and returns the root. Adds both to `content` where they are missing.
 */
export async function buildRoot(
  resolved: ResolvedSolution,
  content: Content,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { definition, images, components, installer } = resolved;
  const artifact = solutionArtifact(resolved, content);
  const manifests = [
    artifact,
    ...components.flatMap(({ chart }) => (chart ? [chart] : [])),
    ...(installer ? [installerEntry(installer, content)] : []),
    ...images.map(imageEntry),
    ...referrersOf(images),
  ];
  const named = {
    [annotations.title]: definition.name,
    'org.opencontainers.image.version': definition.version,
    [solutionAnnotations.name]: definition.name,
    [solutionAnnotations.version]: definition.version,
  };
  const encode = (notes: Readonly<Record<string, string>>): Uint8Array =>
    encodeIndex({ artifactType: solutionTypes.solution, manifests, annotations: { ...named, ...notes } });
  // The file of checksums lists neither the root nor itself, so the catalog of a root without it names all the files.
  const catalog = await readCatalog(encode({}), content, signal);
  const { plain, withViews } = sumsDigests(catalog);
  return encode({ [solutionAnnotations.sums]: plain, [solutionAnnotations.sumsWithViews]: withViews });
}

/** Makes what the archive of a definition says about itself. */
export function metadataOf({
  definition,
  components,
  created,
  metalk8s,
  kinds,
}: Pick<Inputs, 'definition' | 'components' | 'created' | 'metalk8s' | 'kinds'>): SolutionMetadata {
  const { name, version, sequence, expires, description, annotations: notes, kubernetes, externalImages } = definition;
  const proved = components.some(({ metadata }) => isRenderable(metadata));
  return {
    formatVersion: 1,
    name,
    version,
    ...(sequence === undefined ? {} : { sequence }),
    ...(description === undefined ? {} : { description }),
    ...(Object.keys(notes).length > 0 ? { annotations: { ...notes } } : {}),
    created,
    ...(expires === undefined ? {} : { expires }),
    signatureSlots: SLOTS,
    components: components.map((component) => component.metadata),
    ...(kubernetes === undefined ? {} : { kubernetes }),
    ...(externalImages.length === 0 ? {} : { externalImages: [...externalImages] }),
    ...relationsOf(
      joinedRelations(
        relationsOf(definition),
        components.map(({ relations }) => relations),
        kinds,
      ),
    ),
    ...upgradeOf(definition.upgrade, components),
    ...(proved ? { closure: { kubernetes: kubernetes === undefined ? [] : kubernetesVersions(kubernetes) } } : {}),
    ...(metalk8s ? { metalk8s: true } : {}),
  };
}

/** What a definition says of upgrades; where it says nothing, what its components say of theirs. */
function upgradeOf(
  said: UpgradeBound | undefined,
  components: readonly Pick<ResolvedComponent, 'upgrade'>[],
): Pick<SolutionMetadata, 'upgrade'> {
  if (said !== undefined) return { upgrade: said };
  const provides: Record<string, UpgradeBound> = Object.assign({}, ...components.map((one) => one.upgrade ?? {}));
  return Object.keys(provides).length === 0 ? {} : { upgrade: { provides } };
}

function solutionArtifact({ attestations, view, ...inputs }: ResolvedSolution, content: Content): Descriptor {
  const { definition, components } = inputs;
  const metadata = encodeMetadata(metadataOf(inputs));
  const config = content.addBytes(metadata, solutionTypes.metadata, 'the metadata of the Solution');
  const manifestYaml = content.addBytes(
    encodeManifestYaml(definition, view?.naming),
    solutionTypes.file,
    'manifest.yaml',
  );
  const artifact = encodeManifest({
    artifactType: solutionTypes.solution,
    config,
    layers: [
      { ...manifestYaml, annotations: { [annotations.title]: 'manifest.yaml' } },
      ...components.flatMap(({ layers }) => layers),
      ...(view?.layers ?? []),
      ...attestations.map((attestation) => predicateLayer(attestation, definition)),
    ],
  });
  const descriptor = content.addBytes(artifact, mediaTypes.manifest, 'the solution artifact');
  return { ...descriptor, artifactType: solutionTypes.solution, platform: noPlatform };
}

function imageEntry({ definition, descriptor, published, leftOut }: ResolvedImage): Descriptor {
  const { mediaType, digest, size } = descriptor;
  const isNew = digest !== published.digest;
  const platforms = isNew ? undefined : definition.platforms;
  return {
    mediaType,
    digest,
    size,
    annotations: {
      [annotations.refName]: definition.reference,
      ...(platforms ? { [solutionAnnotations.platforms]: wantedPlatforms(platforms).join(',') } : {}),
      ...(platforms && leftOut.length > 0 ? { [solutionAnnotations.leftOut]: [...leftOut].sort().join(',') } : {}),
      ...(isNew ? { [solutionAnnotations.original]: published.digest } : {}),
    },
  };
}

/** Lists the referrers of all images, each once, however many images share it. */
function referrersOf(images: readonly ResolvedImage[]): Descriptor[] {
  const all = new Map<string, ResolvedReferrer>();
  for (const referrer of images.flatMap((image) => image.referrers)) all.set(referrer.descriptor.digest, referrer);
  return [...all.values()].map(rootEntry);
}
