import { valid } from 'semver';
import { isRecord } from '../record.ts';
import { rangeOfBoth, rangeOfEither } from '../solution/joined-relations.ts';
import { isCapability, type Relations, relationFields, relationsOf } from '../solution/relations.ts';
import type { BundleProperty } from './properties.ts';
import type { OperatorBundle } from './read.ts';
import { packageRange } from './version-range.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * What a bundle needs of others, and offers them: packages and kinds (`group/version/Kind`), with ranges and versions.
 */
export interface BundleDemands {
  readonly relations: Relations;
  /** What it says and what no Solution can be asked, in words. */
  readonly left: readonly string[];
}

/** Something that has to be there, or must not. */
interface Literal {
  readonly name: string;
  readonly range: string;
  readonly isWanted: boolean;
}

/** All of these lists have to be met, and of each list one entry. */
type Clauses = readonly (readonly Literal[])[];

/** Most clauses that a constraint may come to. */
const CLAUSES = 256;

/** Any version of a kind will do: its name has one. */
const ANY = '*';

/**
 * Returns what a bundle needs and offers: by `metadata/dependencies.yaml`, by its properties (`olm.package`, `olm.gvk`,
 * `olm.constraint`, and the same with `.required`), and by the kinds that it requires and owns (Operator Framework,
 * "Dependencies").
 */
export function bundleDemands(bundle: OperatorBundle): BundleDemands {
  const { operator, dependencies, properties } = bundle;
  const left: string[] = [];
  const needed = properties.flatMap((one) =>
    /\.required$|^olm\.constraint$/.test(one.type) ? [{ ...one, type: one.type.replace(/\.required$/, '') }] : [],
  );
  const kinds = [...operator.required, ...operator.requiredServices].map((one) => [wanted(kindName(one), ANY)]);
  const clauses = [...kinds, ...[...dependencies, ...needed].flatMap((one) => clausesOf(one, left))];
  const [requires, conflicts] = [new Map<string, string>(), new Map<string, string>()];
  const anyOf: Texts[] = [];
  for (const clause of clauses) {
    const [only, ...others] = clause;
    if (!clause.every(isSayable)) left.push(clause.map(({ name, range }) => `${name} ${range}`).join(', or '));
    else if (only !== undefined && others.length === 0) {
      const [table, join] = only.isWanted ? [requires, rangeOfBoth] : [conflicts, rangeOfEither];
      table.set(only.name, joined(table.get(only.name), only.range, join));
    } else if (clause.every(({ isWanted }) => isWanted)) anyOf.push(alternatives(clause));
    else left.push(`either not ${clause.map(({ name, range }) => `${name} ${range}`).join(', or ')}`);
  }
  const tables = { requires: Object.fromEntries(requires), conflicts: Object.fromEntries(conflicts) };
  return { relations: relationsOf({ ...tables, anyOf, provides: offeredBy(bundle) }), left };
}

/** Whether a definition could say it. */
function isSayable({ name, range }: Literal): boolean {
  return isCapability(name) && relationFields.requires.safeParse({ [name]: range }).success;
}

function wanted(name: string, range: string): Literal {
  return { name, range, isWanted: true };
}

function joined(before: string | undefined, range: string, join: typeof rangeOfBoth): string {
  return before === undefined ? range : join(before, range);
}

function alternatives(clause: readonly Literal[]): Texts {
  const table = new Map<string, string>();
  for (const { name, range } of clause) table.set(name, joined(table.get(name), range, rangeOfEither));
  return Object.fromEntries(table);
}

/** Names a kind as capabilities name it, of a definition (`plural.group`) or of a group. */
function kindName(of: {
  readonly name?: unknown;
  readonly group?: unknown;
  readonly version?: unknown;
  readonly kind?: unknown;
}): string {
  const group = typeof of.group === 'string' ? of.group : String(of.name ?? '').replace(/^[^.]*\./, '');
  return [group, of.version, of.kind].filter((part) => typeof part === 'string' && part !== '').join('/');
}

function offeredBy({ packageName, operator, definitions }: OperatorBundle): Texts {
  const version = valid(operator.version ?? null) ?? undefined;
  const own = operator.owned.map(kindName);
  const served = definitions.flatMap(({ object }) => {
    const spec = isRecord(object['spec']) ? object['spec'] : {};
    const kind = isRecord(spec['names']) ? spec['names']['kind'] : undefined;
    const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isRecord) : [];
    return versions
      .filter((one) => one['served'] === true)
      .map(({ name }) => kindName({ group: spec['group'], version: name, kind }));
  });
  const names = [...new Set([...own, ...served])].sort();
  const kinds = names.map((name) => [name, version ?? '0.0.0']);
  const all = [...(version === undefined ? [] : [[packageName, version]]), ...kinds];
  return Object.fromEntries(all.filter(([name, range]) => isSayable({ name: name!, range: range!, isWanted: true })));
}

/** Reads one dependency as clauses. What cannot be asked of Solutions is reported in `left`. */
function clausesOf({ type, value }: BundleProperty, left: string[]): Clauses {
  if (!isRecord(value)) return none(left, `a dependency of the type ${type} without content`);
  if (type === 'olm.package') {
    return packageClause(value['packageName'], value['version'] ?? value['versionRange'], left);
  }
  if (type === 'olm.gvk') return [[wanted(kindName(value), ANY)]];
  if (type === 'olm.constraint') return constraint(value, left, 0);
  return none(left, `a dependency of the type ${type}`);
}

function none(left: string[], words: string): Clauses {
  left.push(words);
  return [];
}

function packageClause(name: unknown, version: unknown, left: string[]): Clauses {
  const range = typeof version === 'string' ? packageRange(version) : undefined;
  if (typeof name !== 'string' || range === undefined) {
    return none(left, `the package ${String(name)} in a version ${JSON.stringify(version) ?? 'that is not stated'}`);
  }
  return [[wanted(name, range)]];
}

/** Reads a constraint, which may be made of others (Operator Framework, "Compound bundle constraints"). */
function constraint(value: Readonly<Record<string, unknown>>, left: string[], depth: number): Clauses {
  const { package: wants, gvk, all, any: some, not, cel, failureMessage } = value;
  if (depth > 8) return none(left, 'constraints that are nested deeper than 8');
  if (isRecord(wants)) return packageClause(wants['packageName'], wants['versionRange'] ?? wants['version'], left);
  if (isRecord(gvk)) return [[wanted(kindName(gvk), ANY)]];
  const inner = (compound: unknown): Clauses[] => {
    const parts = isRecord(compound) && Array.isArray(compound['constraints']) ? compound['constraints'] : [];
    return parts.filter(isRecord).map((one) => constraint(one, left, depth + 1));
  };
  if (isRecord(all)) return inner(all).flat();
  if (isRecord(some)) return either(inner(some), left);
  if (isRecord(not)) return inner(not).flatMap((one) => negated(one, left));
  const rule = isRecord(cel) ? ` "${String(cel['rule'])}"` : '';
  const why = typeof failureMessage === 'string' ? `: ${failureMessage}` : '';
  return none(left, `a constraint${rule}${why}`);
}

/** One of what is in `each`. */
function either(each: readonly Clauses[], left: string[]): Clauses {
  if (each.some((clauses) => clauses.length === 0)) return [];
  let product: Clauses = [[]];
  for (const clauses of each) {
    if (product.length * clauses.length > CLAUSES) return none(left, 'a constraint with too many alternatives');
    product = product.flatMap((clause) => clauses.map((more) => [...clause, ...more]));
  }
  return each.length === 0 ? [] : product;
}

/** What is not to be met is met where one of its lists is not: where none of its entries is. */
function negated(clauses: Clauses, left: string[]): Clauses {
  return either(
    clauses.map((clause) => clause.map((one) => [{ ...one, isWanted: !one.isWanted }])),
    left,
  );
}
