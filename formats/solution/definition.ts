import { text } from '../bytes.ts';
import type { SbomKind } from '../cyclonedx/kind.ts';
import { among, locateProblems } from '../document/fields.ts';
import { type Problem, problemsOf } from '../document/problems.ts';
import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { PositionedError } from '../error.ts';
import { formatReference, parseReference } from '../oci/reference.ts';
import { judged } from '../schema-words.ts';
import { TextLines } from '../text-lines.ts';
import type { ProbeProblem } from './check-probes.ts';
import type { componentKinds } from './component-kinds.ts';
import { ordered, wrongOrder } from './component-order.ts';
import type { ComponentFields } from './component-schema.ts';
import {
  contradictingNamespaces,
  misplacedFields,
  misplacedSelect,
  namedTwice,
  secondFolders,
  wrongRelations,
} from './definition-checks.ts';
import { definitionFields, definitionSchema } from './definition-schema.ts';
import { parseDuration } from './duration.ts';
import type { ReadyProbe } from './ready-probe.ts';
import { type Relations, relationsOf } from './relations.ts';
import type { UpgradeBound } from './upgrade.ts';

/** Describes an image as `solution.toml` names it. */
export interface ImageDefinition {
  /** The name that manifests use, with its registry spelled out. */
  readonly reference: string;
  /** Where the image is taken from, in the syntax of containers-transports(5). */
  readonly source: string;
  /** Each is `os/architecture[/variant]`; undefined means all platforms of the source. */
  readonly platforms: readonly string[] | undefined;
  /**
   * `sparse` keeps the index unchanged although some of its children are left out; `index` makes a new one of those
   * that stay.
   */
  readonly select: 'sparse' | 'index';
  /** Whether the image's signatures, SBOMs and attestations are packed too. */
  readonly referrers: boolean;
  /** What happens to foreign layers, which no registry holds. */
  readonly foreignLayers: 'refuse' | 'fetch';
  /** Whether it stays though no component names it. */
  readonly keep: boolean;
  /** The path of a file with the image's SBOM. */
  readonly sbom: string | undefined;
}

/** Describes a component as `solution.toml` names it. */
export interface ComponentDefinition {
  readonly name: string;
  readonly kind: (typeof componentKinds)[number];
  readonly path: string;
  readonly values: readonly string[];
  readonly namespace: string | undefined;
  readonly after: readonly string[];
  /** Seconds within which the component has to become ready; undefined leaves the choice to the operator. */
  readonly timeout: number | undefined;
  /** The version, or the range of versions, of what `path` names on a network. */
  readonly version: string | undefined;
  /** The channel of a catalog; undefined takes the default one. */
  readonly channel: string | undefined;
  /** Values of a chart that stand in the definition itself; they win over all `values`. */
  readonly set: Readonly<Record<string, unknown>> | undefined;
  /** The name of a chart's release. */
  readonly release: string;
  /** The namespace that the Solution brings for the component: its labels; undefined where it brings none. */
  readonly createNamespace: { readonly labels: Readonly<Record<string, string>> } | undefined;
  /** Whether only the node can render it, and `pack` does not try. */
  readonly atInstall: boolean;
  /** The path of a JSON Schema that says what a site may set. */
  readonly siteSchema: string | undefined;
  /** Whether nobody judges values by the schemas of a chart. */
  readonly skipSchemaValidation: boolean;
  /** Whether upgrades keep what a chart drew. */
  readonly keepDrawn: boolean;
  /** Further conditions of its readiness, besides that its objects are ready. */
  readonly ready: readonly ReadyProbe[];
}

/** Holds what the author of a Solution writes in `solution.toml`. */
export interface Definition extends Relations {
  readonly name: string;
  readonly version: string;
  /** A number that rises with each release. After a higher one was installed, a lower one is refused. */
  readonly sequence: number | undefined;
  /** Seconds since 1970. Every date in the archive is this one, unless SOURCE_DATE_EPOCH says otherwise. */
  readonly created: number | undefined;
  /** Seconds since 1970. From then on the Solution cannot be installed. */
  readonly expires: number | undefined;
  readonly description: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** The reference of the image that MetalK8s runs as the operator. */
  readonly operator: string | undefined;
  /** The path of a file with the SBOM of the Solution itself. */
  readonly sbom: string | undefined;
  /** The formats in which solpack makes an SBOM for each image that has none. */
  readonly makeSboms: readonly SbomKind['kind'][];
  /** The range of Kubernetes versions that the Solution is for; undefined where the author does not say. */
  readonly kubernetes: string | undefined;
  /** Images that objects use and the archive does not hold, because sites bring them. */
  readonly externalImages: readonly string[];
  /** Over which versions of the Solution it may be installed; undefined where the author does not say. */
  readonly upgrade: UpgradeBound | undefined;
  readonly images: readonly ImageDefinition[];
  /** Sorted so that each component comes after all those that it waits for. */
  readonly components: readonly ComponentDefinition[];
}

/**
 * Reads `solution.toml`. Throws `PositionedError` `toml-invalid` with position and field of everything that is wrong.
 */
export function parseDefinition(bytes: Uint8Array): Definition {
  const source = text(bytes, 'toml-invalid');
  const value = parseToml(source, 'toml-invalid');
  const parsed = judged(definitionSchema, value, 'TOML');
  if (!parsed.success) throw located(source, problemsOf(parsed.error, definitionFields));
  const images = (parsed.data.images ?? []).map((entry) => ({
    reference: normal(entry.reference),
    source: entry.source ?? `docker://${entry.reference}`,
    platforms: entry.platforms,
    select: entry.select ?? 'sparse',
    referrers: entry.referrers ?? true,
    foreignLayers: entry['foreign-layers'] ?? 'refuse',
    keep: entry.keep ?? false,
    sbom: entry.sbom,
  }));
  const components = (parsed.data.components ?? []).map(componentOf);
  const problems = [
    ...namedTwice(images, components),
    ...wrongOrder(components),
    ...secondFolders(parsed.data.components ?? []),
    ...misplacedFields(parsed.data.components ?? []),
    ...contradictingNamespaces(parsed.data.components ?? []),
    ...misplacedSelect(parsed.data.images ?? []),
    ...wrongRelations(parsed.data),
  ];
  if (images.length + components.length === 0) {
    problems.push({ path: '', message: 'has neither [[images]] nor [[components]]: there is nothing to pack' });
  }
  const { created, expires } = parsed.data;
  if (created !== undefined && expires !== undefined && expires <= created) {
    problems.push({ path: 'expires', message: 'is not after created' });
  }
  if (problems.length > 0) throw located(source, problems);
  return {
    name: parsed.data.name,
    version: parsed.data.version,
    sequence: parsed.data.sequence,
    created: parsed.data.created,
    expires: parsed.data.expires,
    description: parsed.data.description,
    annotations: parsed.data.annotations ?? {},
    operator: parsed.data.operator === undefined ? undefined : normal(parsed.data.operator),
    sbom: parsed.data.sbom,
    makeSboms: sbomFormats(parsed.data['make-sboms'] ?? false),
    kubernetes: parsed.data.kubernetes,
    externalImages: parsed.data['external-images'] ?? [],
    upgrade: parsed.data.upgrade,
    ...relationsOf({ ...parsed.data, anyOf: parsed.data['any-of'] }),
    images,
    components: ordered(components),
  };
}

/** Returns the error about expressions of a `solution.toml` that was parsed before, with their positions in it. */
export function probeError(bytes: Uint8Array, problems: readonly ProbeProblem[]): PositionedError {
  const source = text(bytes, 'toml-invalid');
  const { components = [] } = definitionSchema.parse(parseToml(source, 'toml-invalid'));
  const found = problems.map(({ component, at, message }): Problem => {
    return { path: `components.${components.findIndex(({ name }) => name === component)}.ready.${at}.cel`, message };
  });
  return located(source, found);
}

/** Makes what tells in which line of a `solution.toml` that was parsed before a probe stands, from 1 on. */
export function probeLines(bytes: Uint8Array): (component: string, at: number, field: 'cel' | 'condition') => number {
  const source = text(bytes, 'toml-invalid');
  const { components = [] } = definitionSchema.parse(parseToml(source, 'toml-invalid'));
  return (component, at, field) => {
    const index = components.findIndex(({ name }) => name === component);
    return located(source, [{ path: `components.${index}.ready.${at}.${field}`, message: '' }]).position.line;
  };
}

function componentOf(fields: ComponentFields): ComponentDefinition {
  const { name, kind, path, version, channel, set, release = name, namespace, timeout } = fields;
  const own = fields['create-namespace'];
  const labels = typeof own === 'object' ? (own.labels ?? {}) : {};
  return {
    name,
    kind,
    path,
    values: fields.values ?? [],
    namespace,
    after: fields.after ?? [],
    timeout: timeout === undefined ? undefined : parseDuration(timeout),
    version,
    channel,
    set,
    release,
    createNamespace: own ? { labels } : undefined,
    atInstall: fields.render === 'install',
    siteSchema: fields['site-schema'],
    skipSchemaValidation: fields['skip-schema-validation'] ?? false,
    keepDrawn: fields['keep-drawn'] ?? false,
    ready: fields.ready ?? [],
  };
}

function normal(value: string): string {
  return formatReference(parseReference(value));
}

function located(source: string, problems: readonly Problem[]): PositionedError {
  return new PositionedError(
    'toml-invalid',
    locateProblems(new TextLines(source), among(locateToml(source)), problems),
  );
}

/** Returns the formats that `make-sboms` names: CycloneDX, unless it names any. */
function sbomFormats(asked: boolean | readonly SbomKind['kind'][]): readonly SbomKind['kind'][] {
  if (typeof asked !== 'boolean') return [...new Set(asked)].sort();
  return asked ? ['cyclonedx'] : [];
}
