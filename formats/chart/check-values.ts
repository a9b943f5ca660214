import { nearest } from '../document/suggest.ts';
import { FormatError } from '../error.ts';
import { fieldSchemas, type PlacedSchema } from '../json-schema/fields.ts';
import { typeWords } from '../json-schema/keywords.ts';
import { type JudgingWork, judgingWork, type Violation, violationsOf } from '../json-schema/validate.ts';
import type { FieldPath } from '../manifest/yaml-fields.ts';
import { isRecord } from '../record.ts';
import { finalValues, type ValuesChart } from './default-values.ts';
import { mergeValues, reach, type Values, withoutNulls } from './merge-values.ts';

/** What is known of the values at some place of a chart. */
interface Place {
  readonly path: FieldPath;
  /** What stands there by default; the first one counts. */
  readonly defaults: readonly unknown[];
  /** What the author of the Solution has set there. */
  readonly author: readonly unknown[];
  readonly schemas: readonly PlacedSchema[];
  /** The chart whose values stand there. */
  readonly chart: ValuesChart | undefined;
  /** Paths from there to values that decide whether a chart is used: they may be set even if no default names them. */
  readonly conditions: readonly (readonly string[])[];
}

/**
 * Judges what a site sets for a chart whose author says nothing about that, and tells all that is wrong: a field that
 * neither `values.yaml`, nor the chart's schema, nor the author's own values know, where `values.yaml` has a mapping
 * that is not empty; a value of a type that cannot stand for the default; and what the chart's schema refuses of all
 * values together. Of charts within the chart the same, below their names or aliases (Helm, "Charts": Subcharts and
 * Global Values). With `skipsSchemas` a schema only reports fields, and refuses nothing.
 */
export function checkValues(
  chart: ValuesChart,
  author: readonly Values[],
  site: Values,
  skipsSchemas: boolean = false,
): Violation[] {
  const schemas = chart.schema ? [{ document: chart.schema, schema: chart.schema.root }] : [];
  const authored = author.length === 0 ? [] : [mergeValues(author)];
  const found = checkFields(site, {
    path: [],
    defaults: [chart.defaults],
    author: authored,
    schemas,
    chart,
    conditions: chart.conditions,
  });
  const known = new Set(found.map(({ path }) => path.join('\0')));
  if (skipsSchemas) return found;
  const refused = checkSchemas(chart, finalValues(chart, [...author, site]), [], judgingWork());
  return [...found, ...refused.filter(({ path }) => reach(site, path) !== undefined && !known.has(path.join('\0')))];
}

function checkFields(given: Values, place: Place): Violation[] {
  const isFree = !place.defaults.some((one) => isRecord(one) && Object.keys(one).length > 0);
  return Object.entries(given).flatMap(([name, value]) => {
    const path = [...place.path, name];
    if (place.chart && (name === 'global' || isAbsent(place.chart, name))) return [];
    if (place.chart && name === 'tags' && place.chart.tags.length > 0) return checkTags(value, place.chart.tags, path);
    const inner = below(place, name, path);
    const said = [inner.defaults, inner.author, inner.schemas, inner.conditions];
    const isKnown = inner.chart !== undefined || said.some((one) => one.length > 0);
    if (!isKnown) {
      return isFree ? [] : [{ path, message: `unknown field${guess(name, namesAt(place))}`, ofName: true }];
    }
    const wrong = wrongType(inner, value);
    if (wrong !== undefined) return [{ path, message: wrong }];
    return isRecord(value) ? checkFields(value, inner) : [];
  });
}

/** Whether a name is that of a chart that is needed and not held, of which nothing is known. */
function isAbsent({ parts }: ValuesChart, name: string): boolean {
  return parts.has(name) && parts.get(name) === undefined;
}

function below({ defaults, author, schemas, chart, conditions }: Place, name: string, path: FieldPath): Place {
  const fields = (values: readonly unknown[]): unknown[] =>
    values.flatMap((one) => (isRecord(one) && Object.hasOwn(one, name) ? [one[name]] : []));
  const part = chart?.parts.get(name);
  const own = part?.schema ? [{ document: part.schema, schema: part.schema.root }] : [];
  return {
    path,
    defaults: [...fields(defaults), ...(part ? [part.defaults] : [])],
    author: fields(author),
    schemas: [...fieldSchemas(schemas, name), ...own],
    chart: part,
    conditions: [
      ...conditions.filter(([first]) => first === name).map(([, ...rest]) => rest),
      ...(part?.conditions ?? []),
    ],
  };
}

function namesAt({ defaults, author, chart }: Place): string[] {
  const names = [...defaults, ...author].flatMap((one) => (isRecord(one) ? Object.keys(one) : []));
  return [...names, ...(chart?.parts.keys() ?? [])];
}

function guess(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

function checkTags(given: unknown, tags: readonly string[], path: FieldPath): Violation[] {
  if (!isRecord(given))
    return given === null ? [] : [{ path, message: `has to be a mapping, but is ${typeWords(given)}` }];
  return Object.entries(given).flatMap(([tag, value]) => {
    const at = [...path, tag];
    if (!tags.includes(tag)) return [{ path: at, message: `unknown field${guess(tag, tags)}`, ofName: true }];
    if (value === null || typeof value === 'boolean') return [];
    return [{ path: at, message: `has to be true or false, but is ${typeWords(value)}` }];
  });
}

/** Numbers with a unit or a percent sign, which may stand for plain ones. */
const quantity = /^[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?[A-Za-z%]{0,3}$/;

/**
 * Returns why a value cannot stand for a default; undefined where it can. What is null takes the default away. A
 * default that is null, an empty text or a text of several lines says nothing of types, and a schema says more than any
 * default.
 */
function wrongType({ defaults, schemas, chart }: Place, value: unknown): string | undefined {
  const [usual] = defaults;
  if (value === null) return undefined;
  const isTable = chart !== undefined || (isRecord(usual) && Object.keys(usual).length > 0);
  if (isTable) return isRecord(value) ? undefined : `has to be a mapping, but is ${typeWords(value)}`;
  if (usual === undefined || usual === null || usual === '' || schemas.length > 0) return undefined;
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  if (typeof usual === 'object') {
    return isScalar ? `has to be ${typeWords(usual)}, but is ${typeWords(value)}` : undefined;
  }
  if (typeof usual === 'string' && usual.includes('\n')) return undefined;
  const fits =
    typeof value === typeof usual ||
    (typeof usual === 'string' && typeof value === 'number') ||
    (typeof usual === 'number' && typeof value === 'string' && quantity.test(value));
  const wanted = typeof usual === 'number' ? 'a number' : typeWords(usual);
  return fits ? undefined : `has to be ${wanted}, as by default, but is ${typeWords(value)}`;
}

/**
 * Judges final values by the schemas of a chart and of the charts in it. A schema that cannot be followed is left to
 * Helm.
 */
function checkSchemas({ schema, parts }: ValuesChart, values: Values, path: FieldPath, work: JudgingWork): Violation[] {
  const own = schema ? judged(schema, withoutNulls(values), work) : [];
  return [
    ...own.map((one) => ({ ...one, path: [...path, ...one.path] })),
    ...[...parts].flatMap(([key, part]) => {
      const inner = values[key];
      return part && isRecord(inner) ? checkSchemas(part, inner, [...path, key], work) : [];
    }),
  ];
}

function judged(...given: Parameters<typeof violationsOf>): Violation[] {
  try {
    return violationsOf(...given);
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}
