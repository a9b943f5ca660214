import { text } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { type JsonSchema, parseSchema } from '../json-schema/schema.ts';
import { parseYaml } from '../manifest/yaml.ts';
import { isRecord } from '../record.ts';
import { mergeValues, type Values } from './merge-values.ts';
import type { ChartDependency } from './metadata.ts';
import type { ChartValues } from './values.ts';
import { SCHEMA_NAME } from './values-schema.ts';

/**
 * A chart with its values and its schema as they are read, and the charts that it needs, by the names of their values.
 */
export interface ValuesChart {
  readonly defaults: Values;
  /** Undefined where there is none, or one that is not followed here: it is left to Helm. */
  readonly schema: JsonSchema | undefined;
  /** Undefined for what is not in its `charts` folder. */
  readonly parts: ReadonlyMap<string, ValuesChart | undefined>;
  /** Paths of values that decide whether a part is used. */
  readonly conditions: readonly (readonly string[])[];
  /** Names below `tags` that do so. */
  readonly tags: readonly string[];
}

/** Reads the values and the schema of a chart, and of those that it needs. What cannot be read says nothing. */
export function valuesChart(chart: ChartValues): ValuesChart {
  const parts = chart.dependencies.map((dependency) => {
    const held = chart.charts.find(({ name }) => name === dependency.name);
    return [keyOf(dependency), held && valuesChart(held)] as const;
  });
  return {
    defaults: defaultsOf(chart),
    schema: schemaOf(chart),
    parts: new Map(parts),
    conditions: chart.dependencies.flatMap(conditionsOf),
    tags: [
      ...chart.dependencies.flatMap(({ tags }) => (Array.isArray(tags) ? tags.map(String) : [])),
      ...parts.flatMap(([, part]) => part?.tags ?? []),
    ],
  };
}

/**
 * Returns what a chart is rendered with: its own values, and above them `layers`; the same for each chart that it
 * needs.
 */
export function finalValues({ defaults, parts }: ValuesChart, layers: readonly Values[]): Record<string, unknown> {
  const merged = mergeValues([defaults, ...layers]);
  for (const [key, part] of parts) {
    const own = merged[key];
    if (part !== undefined && (own === undefined || isRecord(own))) {
      const shared = isRecord(merged['global']) ? [{ global: merged['global'] }] : [];
      merged[key] = finalValues(part, [...(own ? [own] : []), ...shared]);
    }
  }
  return merged;
}

function keyOf({ name, alias }: ChartDependency): string {
  return typeof alias === 'string' && alias !== '' ? alias : name;
}

function conditionsOf({ condition }: ChartDependency): string[][] {
  if (typeof condition !== 'string') return [];
  return condition.split(',').map((path) => path.trim().split('.'));
}

function defaultsOf({ values }: ChartValues): Values {
  if (values === undefined) return {};
  const found = unlessInvalid(
    () => parseYaml(text(values, 'yaml-invalid'), 'values.yaml', 'yaml-invalid', asHelm)[0]?.value,
  );
  return isRecord(found) ? found : {};
}

/** Of keys that stand twice, the last one counts. */
function asHelm(): void {}

function schemaOf({ schema }: ChartValues): JsonSchema | undefined {
  return schema && unlessInvalid(() => parseSchema(schema, SCHEMA_NAME));
}

function unlessInvalid<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
