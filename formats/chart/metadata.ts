import { text } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { type CheckedYaml, checkedYaml } from '../manifest/checked-yaml.ts';
import { parseOneYaml } from '../manifest/one-document.ts';
import { z } from '../schema.ts';
import { isChartVersion } from './version.ts';

/** A chart that another one needs (Helm, "Charts": the `dependencies` field). */
export interface ChartDependency {
  readonly name: string;
  /** A range of versions; absent or '' means any. */
  readonly version?: string | undefined;
  /** Where it is published: `https://…`, `oci://…`, `@name`, or `file://…` relative to the chart. */
  readonly repository?: string | undefined;
  readonly [field: string]: unknown;
}

/** What `Chart.yaml` says of a chart (Helm, "Charts": The Chart.yaml File); fields not named here are kept. */
export interface ChartMetadata {
  readonly apiVersion: 'v1' | 'v2';
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: 'application' | 'library' | '' | undefined;
  readonly kubeVersion?: string | undefined;
  readonly dependencies?: readonly ChartDependency[] | null | undefined;
  readonly [field: string]: unknown;
}

// Helm, too, takes a number where its field is a string: `appVersion: 1.16` is in many charts.
const words = z.union([z.string(), z.number().transform(String)]);

// Helm joins the name to paths and to object names: what it holds must be one plain path segment.
/** The names that Helm allows charts. */
export const chartNamePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,250}$/;

const name = z.string().regex(chartNamePattern, 'is not a name that a chart can have');

const dependency = z.looseObject({
  name,
  version: words.optional(),
  repository: z.string().optional(),
});

const metadata = z.looseObject({
  apiVersion: z.enum(['v1', 'v2'], 'has to be v1 or v2'),
  name,
  version: words.refine(isChartVersion, 'has to be a SemVer version, such as 1.2.0'),
  appVersion: words.optional(),
  description: z.string().optional(),
  type: z.enum(['application', 'library', ''], 'has to be application or library').optional(),
  kubeVersion: words.optional(),
  dependencies: z.array(dependency).nullish(),
});

const requirements = z.looseObject({ dependencies: z.array(dependency).nullish() });

/** Parses `Chart.yaml`. `name` is how errors call it. Throws `FormatError` `chart-invalid`. */
export function parseChartMetadata(bytes: Uint8Array, name: string = 'Chart.yaml'): ChartMetadata {
  return checkedYaml<ChartMetadata>(documentOf(bytes, name), metadata, 'chart-invalid');
}

/**
 * Parses `requirements.yaml`, where charts of `apiVersion: v1` list their dependencies. Throws `FormatError`
 * `chart-invalid`.
 */
export function parseRequirements(bytes: Uint8Array, name: string = 'requirements.yaml'): readonly ChartDependency[] {
  return checkedYaml(documentOf(bytes, name), requirements, 'chart-invalid').dependencies ?? [];
}

function documentOf(bytes: Uint8Array, name: string): CheckedYaml {
  const source = decoded(bytes, name);
  // As Helm does: of a key that stands twice the last one counts.
  const document = parseOneYaml(source, name, 'chart-invalid', () => undefined);
  if (document === undefined) throw new FormatError('chart-invalid', `${name} is empty`);
  return { text: source, document, name };
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return text(bytes, 'yaml-invalid');
  } catch (cause) {
    throw new FormatError('chart-invalid', `${name} is not valid UTF-8`, { cause });
  }
}
