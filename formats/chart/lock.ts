import { text } from '../bytes.ts';
import { sha256 } from '../digest.ts';
import { FormatError } from '../error.ts';
import { checkedYaml } from '../manifest/checked-yaml.ts';
import { parseOneYaml } from '../manifest/one-document.ts';
import { z } from '../schema.ts';
import type { ChartDependency, ChartMetadata } from './metadata.ts';

/** What `Chart.lock` says: the versions of the charts that a chart needs (Helm, "Helm Dependency"). */
export interface ChartLock {
  readonly dependencies: readonly ChartDependency[];
  /** A hash of what `Chart.yaml` and this file say of dependencies, `sha256:` and hexadecimal digits. */
  readonly digest: string;
}

const words = z.union([z.string(), z.number().transform(String)]);
const locked = z.looseObject({ name: z.string(), version: words.optional(), repository: z.string().optional() });
const schema = z.looseObject({ dependencies: z.array(locked).nullish(), digest: z.string() });

/**
 * Parses `Chart.lock`, or the `requirements.lock` of a chart of `apiVersion: v1`. Throws `FormatError` `chart-invalid`.
 */
export function parseChartLock(bytes: Uint8Array, name: string = 'Chart.lock'): ChartLock {
  const source = decoded(bytes, name);
  const document = parseOneYaml(source, name, 'chart-invalid');
  if (document === undefined) throw new FormatError('chart-invalid', `${name} is empty`);
  const { dependencies, digest } = checkedYaml({ text: source, document, name }, schema, 'chart-invalid');
  return { dependencies: dependencies ?? [], digest };
}

/**
 * Returns whether a lock is of these dependencies: it has the hash that Helm makes of both. For `apiVersion: v1`, the
 * hash that Helm 2 made of the requirements alone counts as well.
 */
export function isInStep(
  { dependencies, digest }: ChartLock,
  required: readonly ChartDependency[],
  apiVersion: ChartMetadata['apiVersion'],
): boolean {
  const wanted = required.map(ordered);
  if (digest === sha256(goJson([wanted, dependencies.map(ordered)]))) return true;
  return apiVersion === 'v1' && digest === sha256(goJson({ dependencies: wanted }));
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return text(bytes, 'yaml-invalid');
  } catch (cause) {
    throw new FormatError('chart-invalid', `${name} is not valid UTF-8`, { cause });
  }
}

/** Fields of a dependency in the order of Helm's structure; those that it leaves out where they are empty. */
const fields = ['condition', 'tags', 'enabled', 'import-values', 'alias'] as const;

function ordered(dependency: ChartDependency): Record<string, unknown> {
  const { name, version, repository = '' } = dependency;
  const known: Record<string, unknown> = { name, ...(version ? { version } : {}), repository };
  for (const field of fields) {
    const value = dependency[field];
    const isEmpty = value === undefined || value === null || value === '' || value === false;
    if (!isEmpty && !(Array.isArray(value) && value.length === 0)) known[field] = sortedKeys(value);
  }
  return known;
}

/** Sorts the keys of mappings, as Go writes them. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]));
}

/** Writes JSON as Go's encoding/json does: what HTML gives a meaning to is escaped. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
