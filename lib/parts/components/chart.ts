import { join, resolve } from 'node:path';
import { collect as gather, text } from '../../../formats/bytes.ts';
import { type Ignored, parseIgnore } from '../../../formats/chart/ignore.ts';
import { chartLimits } from '../../../formats/chart/limits.ts';
import { type ChartLock, isInStep, parseChartLock } from '../../../formats/chart/lock.ts';
import {
  type ChartDependency,
  type ChartMetadata,
  parseChartMetadata,
  parseRequirements,
} from '../../../formats/chart/metadata.ts';
import { type PackedChart, readChart, type VendoredChart } from '../../../formats/chart/read.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { isVendored, missingDependency, requiredChart } from './chart-dependencies.ts';
import { listFiles } from './files.ts';
import type { CollectedFile, ComponentSpec } from './kind.ts';
import { packFolder } from './packed-chart.ts';

/** How deeply charts may refer to each other by `file://`. */
const DEPTH = 16;

const UNREADABLE = 'name a folder, or a .tgz as "helm package" writes it';

/** A chart as one file. */
export interface ChartArchive {
  readonly file: CollectedFile;
  readonly metadata: ChartMetadata;
}

/**
 * Checks a packed chart, and takes its bytes as they are. Throws `component-invalid`, also where it lacks a chart that
 * it needs.
 */
export async function takeChart(
  file: CollectedFile,
  subject: string,
  skipsSchemas?: boolean,
): Promise<ChartArchive & { readonly read: PackedChart }> {
  const read = await refused('component-invalid', subject, () => readChart(file.open(), skipsSchemas), UNREADABLE);
  const { metadata, dependencies, vendored } = read;
  for (const dependency of dependencies) {
    if (!isVendored(dependency, vendored, subject)) throw missingDependency(dependency, subject);
  }
  return { file: { ...file, path: fileName(metadata), mode: 0o644 }, metadata, read };
}

/**
 * Packs the chart of a component with the charts that it needs: those in `charts`, those of `file://` repositories
 * below the root, and those of other repositories in the versions of its `Chart.lock`. Respects `.helmignore`. Throws
 * `component-invalid`, `path-escapes`, and what fetching throws.
 */
export async function buildChart(spec: ComponentSpec, signal?: AbortSignal): Promise<ChartArchive> {
  return build(spec, resolve(spec.path), [], signal);
}

async function build(
  spec: ComponentSpec,
  folder: string,
  above: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ChartArchive> {
  if (above.includes(folder) || above.length > DEPTH) {
    throw new SolpackError('component-invalid', folder, 'charts depend on each other in a circle', {
      hint: 'remove the dependency that closes the circle',
    });
  }
  const { root } = spec;
  const files = await listFiles(root, folder, { signal, skip: await ignoredIn(root, folder) });
  const metadata = await parsedFile(files, folder, 'Chart.yaml', parseChartMetadata);
  if (!metadata) {
    throw new SolpackError('component-invalid', folder, 'holds no Chart.yaml', { hint: 'name the folder of a chart' });
  }
  const required =
    metadata.apiVersion === 'v1'
      ? ((await parsedFile(files, folder, 'requirements.yaml', parseRequirements)) ?? [])
      : (metadata.dependencies ?? []);
  const vendored = await vendoredIn(files, folder);
  const added = new Map<string, CollectedFile>();
  let lock: Pick<ChartLock, 'dependencies'> | undefined;
  for (const dependency of required) {
    if (isVendored(dependency, vendored, folder)) continue;
    lock ??= await lockIn(files, folder, metadata, required);
    const place = { spec, folder, locked: lock.dependencies[required.indexOf(dependency)] };
    const { file } = await requiredChart(dependency, place, {
      build: (other) => build(spec, other, [...above, folder], signal),
      // The chart that it is packed into is read with its schemas.
      take: (file, subject) => takeChart(file, subject, true),
    });
    added.set(`charts/${file.path}`, { ...file, path: `charts/${file.path}` });
  }
  const content = [...files, ...added.values()];
  const { size, open } = await refused(
    'component-invalid',
    folder,
    () => packFolder(metadata.name, content),
    'exclude files that are not a part of the chart with .helmignore',
  );
  // The packed chart is read as Helm will read it when it renders.
  const read = () => readChart(open(), spec.skipSchemaValidation);
  await refused('component-invalid', folder, read, 'correct the file; "helm lint" may show more');
  return { file: { path: fileName(metadata), mode: 0o644, size, parts: content, open }, metadata };
}

function fileName({ name, version }: ChartMetadata): string {
  return `${name}-${version}.tgz`;
}

async function ignoredIn(root: string, folder: string): Promise<Ignored> {
  const path = join(folder, '.helmignore');
  const rules = (await listFiles(root, folder, { skip: (name) => name !== '.helmignore' }))[0];
  return refused(
    'component-invalid',
    path,
    async () => parseIgnore(rules ? text(await gather(rules.open(), chartLimits.file), 'yaml-invalid') : ''),
    'correct the line',
  );
}

async function parsedFile<T>(
  files: readonly CollectedFile[],
  folder: string,
  path: string,
  parse: (bytes: Uint8Array, name: string) => T,
): Promise<T | undefined> {
  const file = files.find((one) => one.path === path);
  if (!file) return undefined;
  return refused(
    'component-invalid',
    join(folder, path),
    async () => parse(await gather(file.open(), chartLimits.file), path),
    'correct the file; "helm lint" may show more',
  );
}

/**
 * Reads the lock of a chart's dependencies, which has to be in step with them as for `helm dependency build`. Empty
 * where there is none.
 */
async function lockIn(
  files: readonly CollectedFile[],
  folder: string,
  { apiVersion }: ChartMetadata,
  required: readonly ChartDependency[],
): Promise<Pick<ChartLock, 'dependencies'>> {
  const name = apiVersion === 'v1' ? 'requirements.lock' : 'Chart.lock';
  const lock = await parsedFile(files, folder, name, parseChartLock);
  if (!lock || isInStep(lock, required, apiVersion)) return lock ?? { dependencies: [] };
  throw new SolpackError('component-invalid', join(folder, name), 'does not match the dependencies of the chart', {
    hint: `run "helm dependency update ${folder}", and commit both`,
  });
}

/** Reads the charts in the `charts` folder. Helm ignores names that begin with `_` or `.`. */
async function vendoredIn(files: readonly CollectedFile[], folder: string): Promise<VendoredChart[]> {
  const vendored: VendoredChart[] = [];
  for (const file of files) {
    const [, place] = /^(charts\/(?![_.])[^/]+)\/Chart\.yaml$/.exec(file.path) ?? [];
    if (place !== undefined) {
      const metadata = (await parsedFile(files, folder, file.path, parseChartMetadata))!;
      vendored.push({ path: place, name: metadata.name, version: metadata.version });
    } else if (/^charts\/(?![_.])[^/]+\.tgz$/.test(file.path)) {
      const name = join(folder, file.path);
      const { metadata } = await refused('component-invalid', name, () => readChart(file.open(), true), UNREADABLE);
      vendored.push({ path: file.path, name: metadata.name, version: metadata.version });
    }
  }
  return vendored;
}
