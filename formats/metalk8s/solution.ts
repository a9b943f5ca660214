import { FormatError } from '../error.ts';
import { parseOneYaml } from '../manifest/one-document.ts';
import { isRecord } from '../record.ts';
import { isLabel, isSemVer } from '../solution/names.ts';
import { SOLUTIONS_API } from '../solution/solutions-api.ts';

/** How a medium for MetalK8s describes itself: `manifest.yaml` from 2.5.1 on, `product.txt` before. */
export type Metalk8sEra = 'manifest' | 'product';

/** What a medium for MetalK8s says of its Solution. */
export interface Metalk8sSolution {
  readonly era: Metalk8sEra;
  readonly name: string;
  readonly version: string;
  /** What people call it; absent where that is its name. */
  readonly displayName?: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** The image of its operator, by the folders below `images/`. */
  readonly operator: { readonly name: string; readonly tag: string };
  /** Whether it names that image itself; otherwise it is what MetalK8s takes for granted, and may not be there. */
  readonly statesOperator: boolean;
  /** Its images as it lists them, `name:tag`; undefined where it leaves that to the folders below `images/`. */
  readonly images?: readonly string[] | undefined;
}

/** The annotation that says what people call a Solution. */
const DISPLAY_NAME = 'solutions.metalk8s.scality.com/display-name';

/**
 * Reads the `manifest.yaml` of a Solution for MetalK8s (2.5.1 and later) as its importer does: name and version have to
 * be there, the rest has defaults. Throws `FormatError` `solution-invalid` for another kind or version of it, and
 * `yaml-invalid`.
 */
export function parseMetalk8sManifest(text: string): Metalk8sSolution {
  const value = fieldsOf(text, 'manifest.yaml');
  requireKind(value, 'Solution', 'manifest.yaml');
  const metadata = recordOf(value['metadata']);
  const spec = recordOf(value['spec']);
  const { name, version } = identityOf(metadata['name'], spec['version'], 'manifest.yaml');
  // The importer reads the name for people at the top, and its documentation has it in the metadata.
  const annotations = { ...textsOf(value['annotations']), ...textsOf(metadata['annotations']) };
  return solutionOf('manifest', name, version, { annotations, ...spec });
}

/**
 * Reads the `product.txt` of an early Solution for MetalK8s (before 2.5.1), and the `config.yaml` beside it where there
 * is one. Throws as `parseMetalk8sManifest`.
 */
export function parseMetalk8sProduct(text: string, config: string | undefined): Metalk8sSolution {
  const product = productFields(text);
  const display = product.get('NAME');
  const { name, version } = identityOf(
    display?.replaceAll(' ', '-').toLowerCase(),
    product.get('VERSION'),
    'product.txt',
  );
  if (name === 'metalk8s') throw invalid('it is MetalK8s itself, not a Solution for it');
  const fields = config === undefined ? {} : fieldsOf(config, 'config.yaml');
  if (config !== undefined) requireKind(fields, 'SolutionConfig', 'config.yaml');
  const annotations = display === undefined || display === name ? {} : { [DISPLAY_NAME]: display };
  return solutionOf('product', name, version, { ...fields, annotations });
}

/**
 * Reads the fields of a `product.txt`, as a shell would that reads nothing but them: `NAME=value`, with or without
 * quotes.
 */
export function productFields(text: string): ReadonlyMap<string, string> {
  const fields = text.split('\n').flatMap((line): [string, string][] => {
    const equals = line.indexOf('=');
    const key = line.slice(0, Math.max(0, equals)).trim();
    if (!/^[A-Z][A-Z0-9_]*$/.test(key)) return [];
    const value = line.slice(equals + 1).trim();
    const quote = value.at(0);
    const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
    return [[key, isQuoted ? value.slice(1, -1) : value]];
  });
  return new Map(fields);
}

function solutionOf(
  era: Metalk8sEra,
  name: string,
  version: string,
  fields: Readonly<Record<string, unknown>> & { readonly annotations: Readonly<Record<string, string>> },
): Metalk8sSolution {
  const { annotations } = fields;
  const displayName = annotations[DISPLAY_NAME];
  const image = recordOf(recordOf(fields['operator'])['image']);
  const images = fields['images'];
  return {
    era,
    name,
    version,
    ...(displayName === undefined || displayName === name ? {} : { displayName }),
    annotations,
    operator: { name: textOr(image['name'], `${name}-operator`), tag: textOr(image['tag'], version) },
    statesOperator: 'name' in image || 'tag' in image,
    ...(Array.isArray(images) ? { images: images.filter((one) => typeof one === 'string') } : {}),
  };
}

function identityOf(name: unknown, version: unknown, where: string): { name: string; version: string } {
  if (name === undefined || name === null || version === undefined || version === null) {
    throw invalid(`its ${where} does not say both the name and the version of a Solution`);
  }
  if (typeof name !== 'string' || !isLabel(name))
    throw invalid(`its name ${JSON.stringify(name)} is no RFC 1123 label`);
  if (typeof version !== 'string') {
    throw invalid(
      `its version is ${typeof version === 'number' ? 'a number' : 'no text'}: quotes are missing around it`,
    );
  }
  if (!isSemVer(version)) throw invalid(`its version ${JSON.stringify(version)} is no SemVer 2.0.0`);
  return { name, version };
}

function requireKind({ kind, apiVersion }: Readonly<Record<string, unknown>>, wanted: string, where: string): void {
  if (kind !== wanted) throw invalid(`its ${where} is of the kind ${JSON.stringify(kind ?? null)}, not "${wanted}"`);
  if (apiVersion === SOLUTIONS_API) return;
  throw invalid(`its ${where} is of the apiVersion ${JSON.stringify(apiVersion ?? null)}, not "${SOLUTIONS_API}"`);
}

function fieldsOf(text: string, where: string): Readonly<Record<string, unknown>> {
  const value = parseOneYaml(text, where)?.value;
  if (isRecord(value)) return value;
  throw invalid(`its ${where} holds no fields`);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textsOf(value: unknown): Record<string, string> {
  const texts = Object.entries(recordOf(value)).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' && value !== '' ? value : other;
}

function invalid(message: string): FormatError {
  return new FormatError('solution-invalid', message);
}
