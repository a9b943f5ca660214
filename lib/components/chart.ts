import { dirname, join, resolve } from 'node:path';
import { collect as gather, text } from '../../formats/bytes.ts';
import { type Ignored, parseIgnore } from '../../formats/chart/ignore.ts';
import { chartLimits } from '../../formats/chart/limits.ts';
import {
  type ChartDependency,
  type ChartMetadata,
  parseChartMetadata,
  parseRequirements,
} from '../../formats/chart/metadata.ts';
import { readChart, type VendoredChart } from '../../formats/chart/read.ts';
import { versionSatisfies } from '../../formats/chart/version.ts';
import { refused, SolpackError } from '../errors.ts';
import { contains } from '../paths.ts';
import { listFiles, locateFile } from './files.ts';
import type { CollectedFile } from './kind.ts';
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
export async function takeChart(file: CollectedFile, subject: string): Promise<ChartArchive> {
  const { metadata, dependencies, vendored } = await refused(
    'component-invalid',
    subject,
    () => readChart(file.open()),
    UNREADABLE,
  );
  for (const dependency of dependencies) {
    if (!isVendored(dependency, vendored, subject)) throw missing(dependency, subject);
  }
  return { file: { ...file, path: fileName(metadata), mode: 0o644 }, metadata };
}

/**
 * Packs the chart in `folder` with the charts that it needs: those in `charts`, and the others from `file://`
 * repositories below `root`. Respects `.helmignore`. Throws `component-invalid`, `path-escapes`.
 */
export async function buildChart(root: string, folder: string, signal?: AbortSignal): Promise<ChartArchive> {
  return build(root, resolve(folder), [], signal);
}

async function build(
  root: string,
  folder: string,
  above: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ChartArchive> {
  if (above.includes(folder) || above.length > DEPTH) {
    throw new SolpackError('component-invalid', folder, 'charts need each other in a circle', {
      hint: 'remove the dependency that leads back',
    });
  }
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
  for (const dependency of required) {
    if (isVendored(dependency, vendored, folder)) continue;
    const { file } = await fromFolder(root, folder, dependency, [...above, folder], signal);
    added.set(`charts/${file.path}`, { ...file, path: `charts/${file.path}` });
  }
  const content = [...files, ...added.values()];
  const { size, open } = await refused(
    'component-invalid',
    folder,
    () => packFolder(metadata.name, content),
    'leave files that are no part of the chart out with .helmignore',
  );
  // The packed chart is read as Helm will read it when it renders.
  await refused('component-invalid', folder, () => readChart(open()), 'correct the file; "helm lint" may tell more');
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
    'correct the file; "helm lint" may tell more',
  );
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
      const { metadata } = await refused('component-invalid', name, () => readChart(file.open()), UNREADABLE);
      vendored.push({ path: file.path, name: metadata.name, version: metadata.version });
    }
  }
  return vendored;
}

/**
 * Decides whether `charts` holds a dependency. Helm drops a chart of the wrong version silently; here that is an error.
 */
function isVendored(dependency: ChartDependency, vendored: readonly VendoredChart[], subject: string): boolean {
  const named = vendored.filter((one) => one.name === dependency.name);
  if (named.length === 0) return false;
  if (named.some((one) => versionSatisfies(one.version, dependency.version ?? ''))) return true;
  const found = named.map((one) => `${one.path} has version ${one.version}`).join(', ');
  throw new SolpackError('component-invalid', subject, `needs ${dependency.name} ${dependency.version}, but ${found}`, {
    hint: `run "helm dependency update ${subject}"`,
  });
}

async function fromFolder(
  root: string,
  folder: string,
  dependency: ChartDependency,
  above: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ChartArchive> {
  const { name, version = '', repository = '' } = dependency;
  if (!repository.startsWith('file://')) throw missing(dependency, folder);
  const source = resolve(folder, repository.slice('file://'.length));
  if (!contains(root, source)) {
    throw new SolpackError('path-escapes', folder, `needs ${name} from ${repository}, which is outside of ${root}`, {
      hint: 'keep all that a Solution needs below the folder of its definition',
    });
  }
  const { stats, path } = await locateFile(root, source);
  const chart = stats.isDirectory() ? await build(root, source, above, signal) : undefined;
  if (chart?.metadata.name === name && versionSatisfies(chart.metadata.version, version)) return chart;
  const found = chart ? `${chart.metadata.name} ${chart.metadata.version}` : `no folder of a chart (${dirname(path)})`;
  throw new SolpackError('component-invalid', folder, `needs ${name} ${version}, but ${repository} is ${found}`, {
    hint: 'correct the dependency in Chart.yaml',
  });
}

function missing({ name, version, repository }: ChartDependency, subject: string): SolpackError {
  const origin = repository ? ` from ${repository}` : '';
  return new SolpackError(
    'component-invalid',
    subject,
    `needs the chart ${name} ${version ?? ''}${origin}, which is not in its charts folder`,
    { hint: `run "helm dependency build ${subject}" where there is a network` },
  );
}
