import { highestVersion, isExactVersion } from '../../../formats/chart/version.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { parseReference, type Reference } from '../../../formats/oci/reference.ts';
import type { NamedSource } from '../../kernel/content/index.ts';
import { lend, narrow, refused, SolpackError } from '../../kernel/events/index.ts';
import { requireChart } from './check-chart.ts';
import { absentSource, requestWords } from './failures.ts';
import { unpackManifest } from './image-files.ts';
import type { BroughtSource, ResolvedSource, SourceContext, SourceKind, SourceRequest } from './kind.ts';
import { sourceLimits } from './limits.ts';
import { type FoundManifest, keepBlob, manifestOf } from './manifest.ts';

/** Media types of the one layer of a chart, as Helm writes it, and as it once did. */
const chartTypes: ReadonlySet<string> = new Set([
  mediaTypes.helmChart,
  'application/tar+gzip',
  'application/vnd.cncf.helm.chart.content.layer.v1+tar',
]);

/**
 * What a registry holds: `oci://` for charts and other artifacts, whose version is their tag, and `docker://` for
 * images, by tag or digest. Of anything but a chart, the files are taken; `//PATH` leads into them.
 */
export const registryArtifact: SourceKind = {
  takes: ({ address }) => /^(?:oci|docker):\/\//.test(address),

  resolve: (request, context): Promise<ResolvedSource> =>
    opened(request, context, async (source, reference) => {
      const version = await versionOf(request, reference, context);
      const wanted = reference.digest ?? version?.replaceAll('+', '_') ?? reference.tag ?? 'latest';
      const found = await source.resolve(wanted, context.flow.signal);
      if (!found) throw absentSource(request, `${source.name} has no ${wanted}`, 'check the address and the version');
      return { ...(version === undefined ? {} : { version }), digest: found.digest };
    }),

  bring: (request, resolved, context) =>
    opened(request, context, async (source) => {
      const manifest = await manifestOf(request, resolved, source, context);
      if (request.content !== 'chart' || !isChart(manifest)) return filesOf(request, manifest, source, context);
      const layers = manifest.value.layers.filter(({ mediaType }) => chartTypes.has(mediaType));
      if (layers.length !== 1) throw noChart(request, `its manifest has ${layers.length} layers that are charts`);
      const kept = await keepBlob(layers[0]!, sourceLimits.chart, request, source, context);
      const { repository } = partsOf(request.address).reference;
      const name = repository.slice(repository.lastIndexOf('/') + 1);
      await requireChart(kept.path, request, { name, version: resolved.version });
      return { path: kept.path, root: kept.path, name: request.address };
    }),

  versions: async (request, { connections }) => {
    const { reference } = await refused('component-invalid', request.address, () => partsOf(request.address));
    const tags = await connections.tags(reference, request.sentBy);
    return isVersioned(request, reference) ? tags.map(versionOfTag) : tags;
  },
};

/** Whether a request says by a version what it wants, and not by a tag or a digest. */
function isVersioned({ address }: SourceRequest, { tag, digest }: Reference): boolean {
  return tag === undefined && digest === undefined && !address.startsWith('docker:');
}

/** A tag cannot have the `+` of a version, and Helm writes `_` for it. */
function versionOfTag(tag: string): string {
  return tag.replaceAll('_', '+');
}

function isChart({ value }: FoundManifest): boolean {
  return value.config.mediaType === mediaTypes.helmConfig;
}

/** Unpacks an image or an artifact. A chart that another program pushed may be a file among its files. */
async function filesOf(
  request: SourceRequest,
  manifest: FoundManifest,
  source: NamedSource,
  context: SourceContext,
): Promise<BroughtSource> {
  const { folder } = partsOf(request.address);
  return unpackManifest(request, manifest, folder, source, context);
}

interface AddressParts {
  readonly reference: Reference;
  /** The path in the files, as `//PATH` says; undefined where it says nothing. */
  readonly folder: string | undefined;
}

function partsOf(address: string): AddressParts {
  const rest = address.replace(/^(?:oci|docker):\/\//, '');
  const double = rest.indexOf('//');
  const reference = parseReference(double < 0 ? rest : rest.slice(0, double));
  return { reference, folder: double < 0 ? undefined : rest.slice(double + 2) };
}

async function opened<T>(
  request: SourceRequest,
  { connections }: SourceContext,
  work: (source: NamedSource, reference: Reference) => Promise<T>,
): Promise<T> {
  const hint = 'write oci://HOST/REPOSITORY with a version, or docker://HOST/REPOSITORY:TAG';
  const { reference } = await refused('component-invalid', request.address, () => partsOf(request.address), hint);
  const source = await connections.connect(reference, request.sentBy);
  return lend({ source, [Symbol.asyncDispose]: () => source.close() }, () => work(source, reference));
}

/** Returns the version that is the highest in the range, or the one that is named. */
async function versionOf(
  request: SourceRequest,
  reference: Reference,
  { connections, flow }: SourceContext,
): Promise<string | undefined> {
  const { version } = request;
  if (!isVersioned(request, reference)) {
    if (version === undefined) return undefined;
    throw new SolpackError('component-invalid', requestWords(request), 'names both a tag or a digest and a version', {
      hint: 'leave one of them out',
    });
  }
  if (version !== undefined && isExactVersion(version)) return version;
  const tags = await connections.tags(reference, request.sentBy);
  const choose = (part: readonly string[]): string[] => {
    const versions = part.map(versionOfTag);
    const highest = highestVersion(versions, version ?? '');
    return highest === undefined ? [] : [highest];
  };
  const [found] = choose(await narrow(tags, flow.signal, choose));
  if (found !== undefined) return found;
  const message = tags.length === 0 ? 'the registry has no such chart' : 'no version there is in that range';
  throw absentSource(request, message, 'check the address and the version');
}

function noChart(request: SourceRequest, why: string): SolpackError {
  return new SolpackError('component-invalid', requestWords(request), `is not a chart: ${why}`, {
    hint: 'push it with "helm push"',
  });
}
