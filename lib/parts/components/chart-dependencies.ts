import { basename, dirname, join, resolve } from 'node:path';
import type { ChartDependency, ChartMetadata } from '../../../formats/chart/metadata.ts';
import type { VendoredChart } from '../../../formats/chart/read.ts';
import { versionSatisfies } from '../../../formats/chart/version.ts';
import { trimmedEnd } from '../../../formats/trim.ts';
import { type ErrorCode, SolpackError } from '../../kernel/events/index.ts';
import { contains } from '../../kernel/files/index.ts';
import { fileAt, locateFile } from './files.ts';
import type { CollectedFile, ComponentSpec } from './kind.ts';

/**
 * Decides whether `charts` holds a dependency. Helm drops a chart of the wrong version silently; here that is an error.
 */
export function isVendored(dependency: ChartDependency, vendored: readonly VendoredChart[], subject: string): boolean {
  const named = vendored.filter((one) => one.name === dependency.name);
  if (named.length === 0) return false;
  if (named.some((one) => versionSatisfies(one.version, dependency.version ?? ''))) return true;
  const found = named.map((one) => `${one.path} has version ${one.version}`).join(', ');
  throw new SolpackError('component-invalid', subject, `needs ${dependency.name} ${dependency.version}, but ${found}`, {
    hint: `run "helm dependency update ${subject}"`,
  });
}

/** What a chart needs from elsewhere is looked for here. */
interface Place {
  readonly spec: ComponentSpec;
  /** The folder of the chart that needs it. */
  readonly folder: string;
  /** What the lock of that chart says of it; undefined where there is none. */
  readonly locked: ChartDependency | undefined;
}

/** How charts become files. */
interface Ways<T> {
  build(folder: string): Promise<T>;
  take(file: CollectedFile, subject: string): Promise<T>;
}

/**
 * Gets a chart that another one needs and does not hold: from a folder below the root, or from a repository, in the
 * version that the lock names. Throws `component-invalid`, `path-escapes`, and what fetching throws.
 */
export async function requiredChart<T extends { readonly metadata: ChartMetadata }>(
  dependency: ChartDependency,
  place: Place,
  ways: Ways<T>,
): Promise<T> {
  const { repository = '' } = dependency;
  if (repository.startsWith('file://')) return fromFolder(dependency, place, ways);
  const { spec, folder, locked } = place;
  if (/^(?:@|alias:)/.test(repository)) {
    throw new SolpackError(
      'component-invalid',
      folder,
      `needs ${dependency.name} from ${repository}, a name that only one machine knows`,
      {
        hint: 'write the address of the repository in Chart.yaml: https://… or oci://…',
      },
    );
  }
  if (!spec.remote || !/^(?:https?|oci):\/\//.test(repository)) throw missingDependency(dependency, folder);
  const { name, version: range = '' } = dependency;
  const version = locked?.name === name && locked.version ? locked.version : range;
  if (locked && version !== range && !versionSatisfies(version, range)) {
    const message = `needs ${name} ${range}, but its lock names ${version}`;
    throw new SolpackError('component-invalid', folder, message, { hint: `run "helm dependency update ${folder}"` });
  }
  const path = await spec.remote.chart(`${trimmedEnd(repository, '/')}/${name}`, version).catch((error) => {
    throw unfetched(error, dependency, place);
  });
  const { stats } = await locateFile(path, path);
  return ways.take(fileAt(path, basename(path), stats), `${folder}: ${name}`);
}

/** Errors of fetching that say all there is to say: the lock, or whoever called, does not let it be fetched. */
const plainEnough: ReadonlySet<ErrorCode> = new Set(['lock-mismatch', 'usage-invalid']);

/** Says of an error of fetching for which component and which chart that was, and what needs no network. */
function unfetched(error: unknown, { name, version = '' }: ChartDependency, { spec, folder }: Place): unknown {
  if (!(error instanceof SolpackError) || plainEnough.has(error.code)) return error;
  const chart = [name, version].filter(Boolean).join(' ');
  const message = `its chart ${folder} needs the chart ${chart}, which cannot be fetched: ${error.summary}`;
  // What was itself fetched has no folder that the author could put anything into.
  const without = spec.origin === undefined ? [`unpack it into ${join(folder, 'charts')}, which needs no network`] : [];
  const hint = [...(error.hint === undefined ? [] : [error.hint]), ...without].join('; or ');
  return new SolpackError(error.code, `component ${spec.name}`, message, { hint, cause: error });
}

async function fromFolder<T extends { readonly metadata: ChartMetadata }>(
  { name, version = '', repository = '' }: ChartDependency,
  { spec: { root }, folder }: Place,
  { build }: Ways<T>,
): Promise<T> {
  const source = resolve(folder, repository.slice('file://'.length));
  if (!contains(root, source)) {
    throw new SolpackError('path-escapes', folder, `needs ${name} from ${repository}, which is outside of ${root}`, {
      hint: 'keep both charts in the folder of the definition, or both outside of it below one folder',
    });
  }
  const { stats, path } = await locateFile(root, source);
  const chart = stats.isDirectory() ? await build(source) : undefined;
  if (chart?.metadata.name === name && versionSatisfies(chart.metadata.version, version)) return chart;
  const found = chart ? `${chart.metadata.name} ${chart.metadata.version}` : `no folder of a chart (${dirname(path)})`;
  throw new SolpackError('component-invalid', folder, `needs ${name} ${version}, but ${repository} is ${found}`, {
    hint: 'correct the dependency in Chart.yaml',
  });
}

/** Makes the error about a chart that is needed, and neither there nor fetched. */
export function missingDependency({ name, version, repository }: ChartDependency, subject: string): SolpackError {
  const origin = repository ? ` from ${repository}` : '';
  return new SolpackError(
    'component-invalid',
    subject,
    `needs the chart ${name} ${version ?? ''}${origin}, which is not in its charts folder`,
    { hint: `run "helm dependency build ${subject}" where there is a network` },
  );
}
