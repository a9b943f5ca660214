import { FormatError } from '../error.ts';
import type { FieldPath } from '../manifest/yaml-fields.ts';
import { isRecord } from '../record.ts';
import { judgeValue, type SearchedPatterns } from './keywords.ts';
import type { PatternWork } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';
import { type JsonSchema, resolveReference } from './schema.ts';
import type { Schema } from './shapes.ts';

/** Says what is wrong with a part of a value. It quotes the schema, and never the value, which may be secret. */
export interface Violation {
  readonly path: FieldPath;
  readonly message: string;
  /** Whether it is the name of the field that is wrong, rather than its value. */
  readonly ofName?: boolean;
}

/** How many schemas are asked about one value, and how deep they may lead to each other. */
const limits = { asked: 200_000, depth: 256 } as const;

/** How much patterns search in a value, in characters times instructions: a second or so. */
const SEARCHED = 20_000_000;

/** What may still be done to judge values: the same for all that is judged together. */
export interface JudgingWork {
  /** How many schemas may be asked. */
  asked: number;
  readonly patterns: PatternWork;
}

/** Returns what may be done in all, for one value or for several together. */
export function judgingWork(): JudgingWork {
  return { asked: limits.asked, patterns: { left: SEARCHED } };
}

/**
 * Judges a value by a schema (JSON Schema, drafts 4 to 2020-12), and tells all that is wrong. Throws `FormatError`
 * `schema-invalid` where that would take without end, or more than is left of `work`.
 */
export function violationsOf(schema: JsonSchema, value: unknown, work: JudgingWork = judgingWork()): Violation[] {
  try {
    return new Judge(schema, work).ask(schema.root, value, [], 0);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new FormatError('schema-invalid', `a pattern of the schema ${error.message}`);
  }
}

class Judge {
  readonly #schema: JsonSchema;
  readonly #patterns: SearchedPatterns;
  readonly #work: JudgingWork;

  constructor(schema: JsonSchema, work: JudgingWork) {
    this.#schema = schema;
    this.#work = work;
    this.#patterns = { all: schema.patterns, work: work.patterns };
  }

  ask(schema: Schema, value: unknown, path: FieldPath, depth: number): Violation[] {
    this.#work.asked -= 1;
    if (this.#work.asked < 0) throw new FormatError('schema-invalid', 'the schema takes too long to check');
    if (depth > limits.depth) throw new FormatError('schema-invalid', 'the schema refers to itself without end');
    if (typeof schema === 'boolean') return schema ? [] : [{ path, message: 'may not be set', ofName: true }];
    const inner = (one: Schema, part: unknown = value, step: FieldPath = []): Violation[] =>
      this.ask(one, part, [...path, ...step], depth + 1);
    const { $ref: reference } = schema;
    const referred =
      typeof reference === 'string' ? inner(resolveReference(this.#schema.root, reference) ?? true) : undefined;
    if (referred && !this.#schema.besideReferences) return referred;
    return [
      ...(referred ?? []),
      ...judgeValue(schema, value, this.#patterns).map((message) => ({ path, message })),
      ...this.#combined(schema, path, inner),
      ...(isRecord(value) ? this.#fields(schema, value, path, inner) : []),
      ...(Array.isArray(value) ? this.#entries(schema, value, path, inner) : []),
    ];
  }

  #combined(schema: Keywords, path: FieldPath, inner: Inner): Violation[] {
    const { allOf, anyOf, oneOf, not, if: condition, then, else: otherwise } = schema as Combining;
    const found = (allOf ?? []).flatMap((one) => inner(one));
    for (const forms of [anyOf, oneOf]) {
      const tried = (forms ?? []).map((one) => inner(one));
      const fitting = tried.filter((one) => one.length === 0).length;
      if (forms !== undefined && fitting === 0) found.push(...nearestOf(tried, path));
      if (forms === oneOf && fitting > 1)
        found.push({ path, message: 'matches several alternatives, but may only match one' });
    }
    if (not !== undefined && inner(not).length === 0) found.push({ path, message: 'matches what is forbidden' });
    if (condition === undefined) return found;
    const next = inner(condition).length === 0 ? then : otherwise;
    return next === undefined ? found : [...found, ...inner(next)];
  }

  #fields(schema: Keywords, value: Record<string, unknown>, path: FieldPath, inner: Inner): Violation[] {
    const { properties = {}, patternProperties = {}, additionalProperties, propertyNames } = schema as Naming;
    const found: Violation[] = [];
    for (const [name, field] of Object.entries(value)) {
      const patterned = Object.entries(patternProperties).filter(([source]) =>
        this.#patterns.all.get(source)!.isIn(name, this.#patterns.work),
      );
      const own = Object.hasOwn(properties, name) ? [properties[name]!] : [];
      for (const one of [...own, ...patterned.map(([, each]) => each)]) found.push(...inner(one, field, [name]));
      if (propertyNames !== undefined && inner(propertyNames, name).length > 0) {
        found.push({ path: [...path, name], message: 'is a forbidden name', ofName: true });
      }
      if (own.length + patterned.length > 0 || additionalProperties === undefined) continue;
      if (additionalProperties === false) {
        found.push({ path: [...path, name], message: 'unknown field', ofName: true });
      } else found.push(...inner(additionalProperties, field, [name]));
    }
    return [...found, ...this.#dependent(schema, value, path, inner)];
  }

  #dependent(schema: Keywords, value: Record<string, unknown>, path: FieldPath, inner: Inner): Violation[] {
    const { dependencies, dependentRequired, dependentSchemas } = schema as Depending;
    return [dependencies, dependentRequired, dependentSchemas].flatMap((one) =>
      Object.entries(one ?? {}).flatMap(([name, wanted]) => {
        if (!Object.hasOwn(value, name)) return [];
        if (!Array.isArray(wanted)) return inner(wanted as Schema);
        const missing = wanted.filter((other: string) => !Object.hasOwn(value, other));
        return missing.map((other: string) => ({ path, message: `needs "${other}" beside "${name}"` }));
      }),
    );
  }

  #entries(schema: Keywords, value: readonly unknown[], path: FieldPath, inner: Inner): Violation[] {
    const { prefixItems, items, additionalItems, contains, minContains = 1, maxContains } = schema as Listing;
    const first = Array.isArray(items) ? (items as readonly Schema[]) : (prefixItems ?? []);
    const rest = Array.isArray(items) ? additionalItems : (items as Schema | undefined);
    const found = value.flatMap((entry, at) => {
      const one = first[at] ?? rest;
      return one === undefined ? [] : inner(one, entry, [at]);
    });
    if (contains === undefined) return found;
    const count = value.filter((entry) => inner(contains, entry).length === 0).length;
    if (count < minContains)
      found.push({ path, message: `holds fewer than ${minContains} of the entries that it needs` });
    if (maxContains !== undefined && count > maxContains) {
      found.push({ path, message: `holds more than ${maxContains} of some entries` });
    }
    return found;
  }
}

type Keywords = Readonly<Record<string, unknown>>;
type ByName = Readonly<Record<string, Schema>>;
type Inner = (schema: Schema, part?: unknown, step?: FieldPath) => Violation[];

// `parseSchema` has checked the shapes.
type Combining = Partial<
  Record<'allOf' | 'anyOf' | 'oneOf', readonly Schema[]> & Record<'not' | 'if' | 'then' | 'else', Schema>
>;
type Naming = Partial<
  Record<'properties' | 'patternProperties', ByName> & Record<'additionalProperties' | 'propertyNames', Schema>
>;
type Depending = Partial<
  Record<'dependencies' | 'dependentRequired' | 'dependentSchemas', Readonly<Record<string, unknown>>>
>;
type Listing = Partial<
  { readonly prefixItems: readonly Schema[]; readonly items: Schema | readonly Schema[] } & Record<
    'additionalItems' | 'contains',
    Schema
  > &
    Record<'minContains' | 'maxContains', number>
>;

/** What is wrong by the form that a value fits best: one that is wrong deeper inside, then one with fewer faults. */
function nearestOf(tried: readonly (readonly Violation[])[], path: FieldPath): Violation[] {
  const depth = (violations: readonly Violation[]): number => Math.max(...violations.map((one) => one.path.length));
  const [best] = [...tried].sort((a, b) => depth(b) - depth(a) || a.length - b.length);
  if (best === undefined) return [{ path, message: 'matches no allowed alternative' }];
  if (tried.length === 1 || depth(best) > path.length) return [...best];
  return [
    {
      path,
      message: `matches no allowed alternative: ${[...new Set(tried.map(([one]) => one!.message))].join(', or ')}`,
    },
  ];
}
