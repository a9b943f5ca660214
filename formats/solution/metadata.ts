import { decodeUniqueJson, encodeJson } from '../json.ts';
import { listOf, textsByName, z } from '../schema.ts';
import { componentKinds } from './component-kinds.ts';
import { durationLimits } from './duration.ts';
import { isKubernetesRange, kubernetesRangeWords } from './kubernetes-range.ts';
import { labelSchema, semVerSchema } from './names.ts';
import type { ReadyProbe } from './ready-probe.ts';
import { MOST_PROBES, readyProbeSchema } from './ready-probe-schema.ts';
import { keptRelations, type Relations } from './relations.ts';
import { keptUpgrade, type Upgrade } from './upgrade.ts';

/** Names the media types and artifact types of content that only solpack makes. */
export const solutionTypes = {
  /** `artifactType` of the root index and of the solution artifact. */
  solution: 'application/vnd.solpack.solution.v1+json',
  /** Config of the solution artifact: the metadata below. */
  metadata: 'application/vnd.solpack.solution.metadata.v1+json',
  /** `artifactType` of the installer that an archive brings along. */
  installer: 'application/vnd.solpack.solution.installer.v1+json',
  /** A layer of the solution artifact, or of an installer: one file. */
  file: 'application/vnd.solpack.solution.file.v1',
  /** A layer of the solution artifact: the predicate of an attestation. */
  predicate: 'application/vnd.solpack.solution.predicate.v1+json',
} as const;

/** Names the annotation keys that only solpack uses. */
export const solutionAnnotations = {
  /** On a layer: permission bits in octal, where they are not 0644. */
  mode: 'io.solpack.file.mode',
  /** On an image in the root: the platforms that were kept, comma-separated, where not all were. */
  platforms: 'io.solpack.image.platforms',
  /**
   * On an image in the root: digests that its index names without a platform and that were left out by their configs,
   * comma-separated.
   */
  leftOut: 'io.solpack.image.left-out',
  /** On an image in the root, and on its index: the digest of the published index that this one was made of. */
  original: 'io.solpack.image.original',
  /** On a referrer in the root: the digest of the manifest that it is about. */
  subject: 'io.solpack.referrer.subject',
  /** On a referrer in the root: the tag that it is known by, where its manifest names no subject. */
  tag: 'io.solpack.referrer.tag',
  /** On a predicate: its type, as BuildKit has it on its own. */
  predicateType: 'in-toto.io/predicate-type',
  /** On a predicate: the digest of the image manifest that it is about; absent where that is the Solution. */
  attested: 'io.solpack.attestation.subject',
  /** On a predicate: bytes of the slot for its signed statement. */
  attestationSlot: 'io.solpack.attestation.slot',
  /** On the root: SHA-256 of `.solpack/SHA256SUMS` in a carrier without views. */
  sums: 'io.solpack.sha256sums',
  /** On the root: the same in a carrier with views. */
  sumsWithViews: 'io.solpack.sha256sums.views',
  name: 'io.solpack.solution.name',
  version: 'io.solpack.solution.version',
} as const;

/** Dates an archive, 1980-01-01T00:00:00Z, if nobody gave a date. It says nothing about when the archive was made. */
export const UNDATED = 315532800;

const component = z.strictObject({
  name: labelSchema,
  kind: z.enum(componentKinds),
  /** Of the chart, for kind helm. */
  version: z.string().optional(),
  namespace: labelSchema.optional(),
  after: listOf(z.string()),
  /** Seconds that it may take to become ready. */
  timeout: z.number().int().min(durationLimits.shortest).max(durationLimits.longest).optional(),
  /** Where rendering starts, below the component's folder. */
  entry: z.string(),
  /** Values files in order, below the component's folder. */
  values: listOf(z.string()),
  /** The chart, below the component's folder. */
  chart: z.string().optional(),
  /** The name of the chart's release, where it is not the component's. */
  release: z.string().min(1).max(53).optional(),
  /** The namespace of the component is brought by the Solution, with these labels. */
  createNamespace: z.strictObject({ labels: textsByName.optional() }).optional(),
  /** Only the node can render it: nobody has proved that the archive holds all that it asks for. */
  render: z.literal('install').optional(),
  /** A JSON Schema of what sites may set, below the component's folder. */
  siteSchema: z.string().optional(),
  /** Nobody judges values by the schemas of the chart. */
  skipSchemaValidation: z.literal(true).optional(),
  /** Upgrades keep what the chart drew. */
  keepDrawn: z.literal(true).optional(),
  /** Further conditions of its readiness, besides that its objects are ready. */
  ready: z.array(readyProbeSchema).min(1).max(MOST_PROBES).optional(),
});

const metadata = z.strictObject({
  formatVersion: z.literal(1),
  name: labelSchema,
  version: semVerSchema,
  /** Rises with each release. */
  sequence: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  description: z.string().optional(),
  annotations: textsByName.optional(),
  /** Seconds since 1970-01-01T00:00:00Z: every date in a carrier. */
  created: z.number().int().min(-2208988800).max(5869583999),
  /** Seconds since 1970, from when on it is not installed any longer. */
  expires: z.number().int().min(-2208988800).max(5869583999).optional(),
  signatureSlots: z.strictObject({
    count: z.number().int().min(0).max(64),
    size: z.number().int().min(0).max(65536),
  }),
  components: listOf(component),
  /** The range of Kubernetes versions that it is for. */
  kubernetes: z.string().min(1).max(256).refine(isKubernetesRange, kubernetesRangeWords).optional(),
  /** Images that its objects use and that it does not hold, because sites bring them. */
  externalImages: listOf(z.string()).optional(),
  /** The Kubernetes versions for which it was proved that it holds all that its objects ask for; none is Helm's own. */
  closure: z.strictObject({ kubernetes: listOf(z.string()) }).optional(),
  // A solpack that does not know them refuses the archive, rather than installing it without what it needs.
  ...keptRelations,
  /** Over which versions it may be installed. */
  upgrade: keptUpgrade,
  /** A carrier with views has the one that the importer of MetalK8s asks for. */
  metalk8s: z.literal(true).optional(),
});

/** Describes one component of `SolutionMetadata`. */
export interface ComponentMetadata {
  readonly name: string;
  readonly kind: (typeof componentKinds)[number];
  /** Of the chart, for kind helm. */
  readonly version?: string | undefined;
  readonly namespace?: string | undefined;
  readonly after: readonly string[];
  /** Seconds that it may take to become ready. */
  readonly timeout?: number | undefined;
  /** Where rendering starts, below the component's folder. */
  readonly entry: string;
  /** Values files in order, below the component's folder. */
  readonly values: readonly string[];
  /** The chart, below the component's folder. */
  readonly chart?: string | undefined;
  /** The name of the chart's release, where it is not the component's. */
  readonly release?: string | undefined;
  /** The namespace of the component is brought by the Solution, with these labels. */
  readonly createNamespace?: { readonly labels?: Readonly<Record<string, string>> | undefined } | undefined;
  /** Only the node can render it: nobody has proved that the archive holds all that it asks for. */
  readonly render?: 'install' | undefined;
  /** A JSON Schema of what sites may set, below the component's folder. */
  readonly siteSchema?: string | undefined;
  /** Nobody judges values by the schemas of the chart. */
  readonly skipSchemaValidation?: true | undefined;
  /** Upgrades keep what the chart drew. */
  readonly keepDrawn?: true | undefined;
  /** Further conditions of its readiness, besides that its objects are ready. */
  readonly ready?: readonly ReadyProbe[] | undefined;
}

/** Holds what an archive says about itself: the config of the solution artifact. */
export interface SolutionMetadata extends Relations {
  readonly formatVersion: 1;
  readonly name: string;
  readonly version: string;
  /** Rises with each release. */
  readonly sequence?: number | undefined;
  readonly description?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Seconds since 1970-01-01T00:00:00Z: every date in a carrier. */
  readonly created: number;
  /** Seconds since 1970, from when on it is not installed any longer. */
  readonly expires?: number | undefined;
  readonly signatureSlots: { readonly count: number; readonly size: number };
  readonly components: readonly ComponentMetadata[];
  /** The range of Kubernetes versions that it is for. */
  readonly kubernetes?: string | undefined;
  /** Images that its objects use and that it does not hold, because sites bring them. */
  readonly externalImages?: readonly string[] | undefined;
  /** The Kubernetes versions for which it was proved that it holds all that its objects ask for; none is Helm's own. */
  readonly closure?: { readonly kubernetes: readonly string[] } | undefined;
  /** Over which versions of it, and of what it provides, it may be installed. Left out: over any. */
  readonly upgrade?: Upgrade | undefined;
  /** A carrier with views has the one that the importer of MetalK8s asks for. */
  readonly metalk8s?: true | undefined;
}

/** Writes the metadata in their one canonical form. */
export function encodeMetadata(value: SolutionMetadata): Uint8Array {
  return encodeJson(metadata.parse(value));
}

/** Reads the metadata of an archive. Throws `FormatError` `solution-invalid`. */
export function parseMetadata(bytes: Uint8Array): SolutionMetadata {
  return decodeUniqueJson(bytes, metadata, 'solution-invalid', 'the metadata of the Solution');
}
