import { type Bytes, collect } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { type AnnotatedImage, annotatedImages } from './annotated-images.ts';
import { gunzip } from './gunzip.ts';
import { chartLimits } from './limits.ts';
import { type ChartDependency, type ChartMetadata, parseChartMetadata, parseRequirements } from './metadata.ts';
import { type TarFile, untar } from './untar.ts';
import { checkValuesSchema, SCHEMA_NAME } from './values-schema.ts';

/** How deep charts may be packed in each other. */
const DEPTH = 16;

/** A chart that another one carries in its `charts` folder. */
export interface VendoredChart {
  /** The folder or archive that holds it, such as `charts/common-1.2.0.tgz`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** The images that its annotations name; left out if they name none. */
  readonly images?: readonly AnnotatedImage[];
}

/** What a packed chart says about itself. */
export interface PackedChart {
  /** The one folder that everything lies in. */
  readonly folder: string;
  readonly metadata: ChartMetadata;
  /** What it needs: `dependencies` of Chart.yaml, or for `apiVersion: v1` those of requirements.yaml. */
  readonly dependencies: readonly ChartDependency[];
  /** What lies in its `charts` folder, in the order of the archive. */
  readonly vendored: readonly VendoredChart[];
  /** The images that its annotations name; left out if they name none. */
  readonly images?: readonly AnnotatedImage[];
}

/**
 * Reads a packed chart (`.tgz` as `helm package` writes it) to its end, holding no more than one small file. Throws
 * `FormatError` `chart-invalid`: not gzip, not tar, no or several top folders, paths that lead out, links, no valid
 * Chart.yaml, more than `chartLimits` (Helm, "Charts": The Chart File Structure), or a schema of values, of it or of a
 * chart in it, that leads out of itself, unless somebody `skipsSchemas`: then Helm may not be asked to judge by them.
 */
export function readChart(bytes: Bytes, skipsSchemas = false): Promise<PackedChart> {
  return readPacked(bytes, { left: chartLimits.total, skipsSchemas }, 0);
}

/** How a chart is read, and how many bytes may come of it. */
interface Reading {
  left: number;
  readonly skipsSchemas: boolean;
}

async function readPacked(bytes: Bytes, reading: Reading, depth: number): Promise<PackedChart> {
  const paths = new Set<string>();
  const vendored: VendoredChart[] = [];
  let folder: string | undefined;
  let metadata: ChartMetadata | undefined;
  let required: readonly ChartDependency[] = [];
  for await (const file of untar(gunzip(bytes, reading))) {
    const names = namesOf(file.path);
    folder ??= names[0]!;
    if (names[0] !== folder) {
      throw new FormatError('chart-invalid', `has two top folders, ${folder} and ${names[0]}`);
    }
    if (paths.has(file.path)) throw new FormatError('chart-invalid', `${file.path} is there twice`);
    paths.add(file.path);
    const path = names.slice(1).join('/');
    if (path === 'Chart.yaml') metadata = parseChartMetadata(await content(file));
    else if (path === 'requirements.yaml') required = parseRequirements(await content(file));
    else if (depth === 0 && isVendored(names)) vendored.push(await readVendored(file, path, reading));
    else await checkInner(file, path, reading, depth);
  }
  if (folder === undefined || !metadata)
    throw new FormatError('chart-invalid', 'holds no Chart.yaml in its top folder');
  const dependencies = metadata.apiVersion === 'v1' ? required : (metadata.dependencies ?? []);
  return { folder, metadata, dependencies, vendored, ...imagesOf(metadata) };
}

function imagesOf(metadata: ChartMetadata): { readonly images?: readonly AnnotatedImage[] } {
  const images = annotatedImages(metadata);
  return images.length === 0 ? {} : { images };
}

/** Whether the path is that of a chart below `charts`; Helm leaves out names that begin with `_` or `.`. */
function isVendored(names: readonly string[]): boolean {
  const [, top, name] = names;
  if (top !== 'charts' || name === undefined || /^[_.]/.test(name)) return false;
  return names.length === 3 ? name.endsWith('.tgz') : names.length === 4 && names[3] === 'Chart.yaml';
}

async function readVendored(file: TarFile, path: string, reading: Reading): Promise<VendoredChart> {
  const place = path.endsWith('/Chart.yaml') ? path.slice(0, -'/Chart.yaml'.length) : path;
  try {
    const metadata =
      place === path ? (await readPacked(file.body, reading, 1)).metadata : parseChartMetadata(await content(file));
    return { path: place, name: metadata.name, version: metadata.version, ...imagesOf(metadata) };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError('chart-invalid', `${place}: ${error.message}`, { cause: error });
  }
}

/** Checks what Helm reads of charts within charts, however deep, before it renders any: their schemas of values. */
async function checkInner(file: TarFile, path: string, reading: Reading, depth: number): Promise<void> {
  let names = path.split('/');
  while (names[0] === 'charts' && names.length > 2) names = names.slice(2);
  const [name, packed, ...more] = names;
  if (name === SCHEMA_NAME && packed === undefined && !reading.skipsSchemas)
    checkValuesSchema(await content(file), path);
  if (name !== 'charts' || !packed?.endsWith('.tgz') || more.length > 0 || /^[_.]/.test(packed)) return;
  if (depth >= DEPTH) throw new FormatError('chart-invalid', `${path}: charts are packed in each other too deep`);
  await readPacked(file.body, reading, depth + 1);
}

function content(file: TarFile): Promise<Uint8Array> {
  return collect(file.body, chartLimits.file);
}

/** The names of a path, of which there are at least two; throws where it could lead out of its folder. */
function namesOf(path: string): string[] {
  const names = path.split('/');
  const unsafe = names.some((name) => name === '' || name === '.' || name === '..');
  if (unsafe || /[\\\0\ufffd]|^[A-Za-z]:/.test(path)) {
    throw new FormatError('chart-invalid', `the path ${JSON.stringify(path)} is not a path within its folder`);
  }
  if (names.length < 2) throw new FormatError('chart-invalid', `${path} lies outside of the chart's folder`);
  return names;
}
