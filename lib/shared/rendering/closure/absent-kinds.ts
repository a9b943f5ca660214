import { CERT_MANAGER } from '../../../../formats/bundle/certificates.ts';
import { isKubernetesGroup } from '../../../../formats/kubernetes/served.ts';
import { isTestAlone } from '../../../../formats/manifest/hooks.ts';
import { groupOf } from '../../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { isRecord } from '../../../../formats/record.ts';
import type { ComponentProof } from '../../../../formats/solution/component-proof.ts';
import { definedKinds } from '../defined-kinds.ts';
import { isRenderable } from '../provable.ts';
import type { BringerMetadata } from './brought.ts';
import { type ExaminedVersion, versionsToJudge } from './examine.ts';
import type { ClosureFinding } from './findings.ts';
import { objectName } from './statements.ts';

/** A kind that is not of Kubernetes itself, and the first object of a component that is of it. */
interface UsedKind {
  readonly component: string;
  /** `group/version/Kind`. */
  readonly kind: string;
  readonly source: string | undefined;
  readonly object: string | undefined;
}

type Proofs = ReadonlyMap<string, ComponentProof>;

/**
 * Names the kind of an object that a cluster has only if somebody brings it, as `group/version/Kind`; undefined for
 * kinds of Kubernetes.
 */
export function customKind(object: KubernetesObject): string | undefined {
  const isCustom = !isKubernetesGroup(groupOf(object)) && !isTestAlone(object);
  return isCustom ? `${object.apiVersion}/${object.kind}` : undefined;
}

/** Finds kinds that neither Kubernetes nor the Solution brings, and for which the author names nobody who does. */
export function absentKinds(
  version: ExaminedVersion,
  proven: Proofs,
  metadata: BringerMetadata,
): Omit<ClosureFinding, 'kubernetes'>[] {
  if (bringersIn(metadata).length > 0) return [];
  return unbrought(version, proven, metadata).map(({ component, kind, source, object }) => ({
    code: 'kind-absent',
    component,
    source,
    object,
    path: undefined,
    message: `nothing provides its kind, ${kindWords(kind)}; add a component that defines it, or name it under [requires]: ${asked(kind)}`,
  }));
}

/**
 * Reports kinds that only what `pack` cannot look into can bring: Solutions that are required, and components that the
 * node renders.
 */
export function kindsOfOthers(
  versions: readonly ExaminedVersion[],
  proven: Proofs,
  metadata: BringerMetadata,
): { readonly component: string; readonly message: string }[] {
  const bringers = bringersIn(metadata);
  if (bringers.length === 0) return [];
  const found = versionsToJudge(versions).flatMap((one) => unbrought(one, proven, metadata));
  return [...Map.groupBy(found, ({ component }) => component)].map(([component, own]) => {
    const kinds = [...new Set(own.map(({ kind }) => kindWords(kind)))].join(', ');
    const message = `has objects of kinds that the Solution does not define: ${kinds}; ${bringers.join(' or ')} has to provide them`;
    return {
      component,
      message: `${message}, to be sure, name each under [requires], as in ${asked(own[0]!.kind)}`,
    };
  });
}

/**
 * What a Solution says of who brings what, where somebody else says too what clusters serve, as `group/version` and
 * `group/version/Kind`.
 */
export function withApis(metadata: BringerMetadata, apis: readonly string[]): BringerMetadata {
  const served = apis.filter((api) => api.includes('/')).map((api) => [api, '*'] as const);
  return { ...metadata, requires: { ...metadata.requires, ...Object.fromEntries(served) } };
}

function unbrought({ statements, refusals }: ExaminedVersion, proven: Proofs, metadata: BringerMetadata): UsedKind[] {
  // A component that could not be rendered may define whatever is missed.
  if (refusals.length > 0) return [];
  const objects = statements.map(({ object }) => object);
  const served = new Set(objects.flatMap(servedGroups));
  const kinds = objects.flatMap(definedKinds);
  const defined = new Set([...kinds, ...[...proven.values()].flatMap((proof) => proof.kinds)]);
  const own = new Set(kinds.map(withoutVersion));
  const named = [metadata.requires, ...(metadata.anyOf ?? []), metadata.provides].flatMap((one) =>
    Object.keys(one ?? {}),
  );
  const isBrought = (kind: string): boolean => {
    const [group, version] = kind.split('/') as [string, string, string];
    const names = [group, `${group}/${version}`, kind];
    // Another version of what is defined here is reported by the shape of the object.
    return (
      names.some((one) => named.includes(one) || served.has(one)) || defined.has(kind) || own.has(withoutVersion(kind))
    );
  };
  // A bundle has Certificates because its author says that the cluster has cert-manager.
  const bundles = new Set(metadata.components.filter(({ kind }) => kind === 'registry+v1').map(({ name }) => name));
  const isSaid = ({ component, kind }: UsedKind): boolean =>
    bundles.has(component) && kind.startsWith(`${CERT_MANAGER}/`);
  const first = new Map<string, UsedKind>();
  const add = (one: UsedKind): void => {
    const key = `${one.component} ${one.kind}`;
    if (!first.has(key) && !isBrought(one.kind) && !isSaid(one)) first.set(key, one);
  };
  for (const statement of statements) {
    const kind = customKind(statement.object);
    const { component, source } = statement;
    if (kind !== undefined) add({ component, kind, source, object: objectName(statement) });
  }
  for (const [component, { uses = [] }] of proven) {
    for (const kind of uses) add({ component, kind, source: undefined, object: undefined });
  }
  return [...first.values()];
}

/**
 * What may bring kinds that nobody can see here: Solutions and capabilities whose names are not those of kinds, and
 * what the node renders.
 */
function bringersIn({ requires, anyOf = [], components }: BringerMetadata): string[] {
  const asked = [requires, ...anyOf].flatMap((one) => Object.keys(one ?? {})).filter((name) => !/[./]/.test(name));
  const late = components.filter((one) => !isRenderable(one)).map(({ name }) => `component ${name}`);
  return [...new Set([...asked, ...late])];
}

/**
 * The `group/version` that an API server of its own serves (apiregistration.k8s.io/v1, `APIServiceSpec`); nothing for
 * other objects.
 */
function servedGroups({ apiVersion, kind, spec }: KubernetesObject): string[] {
  if (kind !== 'APIService' || !apiVersion.startsWith('apiregistration.k8s.io/') || !isRecord(spec)) return [];
  return [`${String(spec['group'])}/${String(spec['version'])}`];
}

function withoutVersion(kind: string): string {
  const [group, , name] = kind.split('/');
  return `${group}/${name}`;
}

/** Words a kind as everywhere else: `Issuer (cert-manager.io/v1)`. */
function kindWords(kind: string): string {
  const at = kind.lastIndexOf('/');
  return `${kind.slice(at + 1)} (${kind.slice(0, at)})`;
}

function asked(kind: string): string {
  return `"${kind}" = "*"`;
}
