import { referenceFault } from '../../../../formats/oci/reference.ts';
import type { ComponentProof } from '../../../../formats/solution/component-proof.ts';
import type { ComponentMetadata } from '../../../../formats/solution/metadata.ts';
import { absentKinds } from './absent-kinds.ts';
import type { Brought } from './brought.ts';
import { type Examination, type ExaminedVersion, versionsToJudge } from './examine.ts';
import { fetchesOf, fetchFinding } from './fetches.ts';
import { type ClosureFinding, mergedFindings } from './findings.ts';
import type { StatedReference } from './references.ts';
import { invalidIn } from './shapes.ts';
import { objectName, type PlacedStatement } from './statements.ts';

type Found = Omit<ClosureFinding, 'kubernetes'>;

const unheldHint = 'is not among the images; add it to [[images]], or to external-images if sites provide it';
const likelyHint = 'seems to be used, but is not among the images; add it to [[images]], or to external-images';

/** Finds all that keeps a Solution from being closed, of what was rendered and of what is proven. */
export function judgeClosure(examination: Examination, brought: Brought): ClosureFinding[] {
  const { versions, proven } = examination;
  const provenKeys = new Map([...proven].flatMap(([name, { objects }]) => objects.map((key) => [key, name] as const)));
  const namespaces = broughtNamespaces(examination, brought.metadata.components);
  const each = versionsToJudge(versions);
  const found = each.flatMap((one) =>
    [
      ...refusalsOf(one),
      ...repeatedIn(one.statements, provenKeys),
      ...invalidIn(one).map(({ statement, message, path }) => findingOf(statement, 'object-invalid', message, path)),
      ...one.statements.flatMap((statement) => [...unheldIn(statement, brought), ...homelessIn(statement, namespaces)]),
      ...(brought.strict ? one.statements : []).flatMap((statement) =>
        fetchesOf(statement).map((fetch) => fetchFinding(fetch, statement.source)),
      ),
      ...absentKinds(one, proven, brought.metadata),
      ...[...proven].flatMap(([component, proof]) => provenFindings(component, proof, brought, namespaces)),
    ].map((finding) => ({ version: one.version, finding })),
  );
  return mergedFindings(found, each.length);
}

function refusalsOf({ refusals }: ExaminedVersion): Found[] {
  return refusals.map(({ component, error }) => ({
    code: 'not-rendered',
    component,
    source: undefined,
    object: undefined,
    path: undefined,
    message: error.message,
  }));
}

function findingOf(statement: PlacedStatement, code: Found['code'], message: string, path?: string): Found {
  const { component, source } = statement;
  return { code, component, source, object: objectName(statement), path: path || undefined, message };
}

function repeatedIn(statements: readonly PlacedStatement[], proven: ReadonlyMap<string, string>): Found[] {
  const first = new Map<string, PlacedStatement>();
  return statements.flatMap((statement) => {
    const { key } = statement;
    const other = first.get(key);
    if (other === undefined) first.set(key, statement);
    const place = other ? [`component ${other.component}`, other.source].filter(Boolean).join(', ') : proven.get(key);
    if (place === undefined) return [];
    const where = other ? place : `component ${place}`;
    return [findingOf(statement, 'object-twice', `is stated twice: also by ${where}`)];
  });
}

function unheldIn(statement: PlacedStatement, brought: Brought): Found[] {
  return brought
    .references(statement)
    .filter((one) => isOpen(one, brought))
    .map((one) => ({ ...findingOf(statement, unheldCode(one), unheldWords(one), one.path), ...lackingImage(one) }));
}

type Unheld = Pick<StatedReference, 'reference' | 'certainty'>;

function isOpen({ reference, certainty }: Unheld, { isHeld, isExternal, strict }: Brought): boolean {
  return (certainty === 'certain' || strict) && !isHeld(reference) && !isExternal(reference);
}

function unheldCode({ certainty }: Unheld): Found['code'] {
  return certainty === 'certain' ? 'image-unheld' : 'image-likely';
}

function unheldWords({ reference, certainty }: Unheld): string {
  return referenceFault(reference) ?? `${reference} ${certainty === 'certain' ? unheldHint : likelyHint}`;
}

/** Names the image, where it could be added. */
function lackingImage({ reference }: Unheld): { image?: string } {
  return referenceFault(reference) === undefined ? { image: reference } : {};
}

function homelessIn(statement: PlacedStatement, namespaces: ReadonlySet<string>): Found[] {
  const { namespace } = statement;
  if (namespace === undefined || isAlwaysThere(namespace) || namespaces.has(namespace)) return [];
  return [findingOf(statement, 'namespace-absent', absentWords(namespace))];
}

function absentWords(namespace: string): string {
  return `nothing creates the namespace ${namespace}; set create-namespace for its component, or add a Namespace`;
}

function isAlwaysThere(namespace: string): boolean {
  return namespace === 'default' || namespace.startsWith('kube-');
}

/** Lists the namespaces that a Solution brings, for whichever version. */
function broughtNamespaces({ versions, proven }: Examination, components: readonly ComponentMetadata[]): Set<string> {
  const keys = [
    ...versions.flatMap(({ statements }) => statements.map(({ key }) => key)),
    ...[...proven.values()].flatMap(({ objects }) => objects),
  ];
  const stated = keys.filter((key) => key.startsWith('Namespace//')).map((key) => key.slice('Namespace//'.length));
  const made = components.flatMap(({ namespace, createNamespace }) =>
    namespace && createNamespace ? [namespace] : [],
  );
  return new Set([...stated, ...made]);
}

/**
 * What is found of a component that was not rendered. Its templates are not known; whoever tells it renders it first.
 */
function provenFindings(
  component: string,
  { references, objects, fetches = [] }: ComponentProof,
  brought: Brought,
  namespaces: ReadonlySet<string>,
): Found[] {
  const unheld = references
    .map(([reference, object, path, certainty]) => ({ reference, object, path, certainty }))
    .filter((one) => isOpen(one, brought))
    .map((one): Found => {
      const place = { component, source: undefined, object: one.object, path: one.path || undefined };
      return { code: unheldCode(one), ...place, message: unheldWords(one), ...lackingImage(one) };
    });
  const homeless = objects.flatMap((key): Found[] => {
    const [, namespace = ''] = key.split('/');
    if (namespace === '' || isAlwaysThere(namespace) || namespaces.has(namespace)) return [];
    const place = { component, source: undefined, object: key, path: undefined };
    return [{ code: 'namespace-absent', ...place, message: absentWords(namespace) }];
  });
  const fetched = (brought.strict ? fetches : []).map(([address, object, path]) =>
    fetchFinding({ component, object, path, address }, undefined),
  );
  return [...unheld, ...homeless, ...fetched];
}
