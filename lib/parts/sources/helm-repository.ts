import { type IndexedChart, readRepositoryIndex } from '../../../formats/chart/repository-index.ts';
import { highestVersion } from '../../../formats/chart/version.ts';
import { trimmedEnd } from '../../../formats/trim.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { parseAddress } from './address.ts';
import { requireChart } from './check-chart.ts';
import { absentSource, movedSource, requestWords } from './failures.ts';
import type { ResolvedSource, SourceContext, SourceKind, SourceRequest } from './kind.ts';
import { sourceLimits } from './limits.ts';
import { namedFrom } from './named-by.ts';
import { registryArtifact } from './registry-artifact.ts';
import type { KeptContent } from './store.ts';

/** How many versions a message lists. */
const SHOWN = 5;

/**
 * A chart of a Helm repository: the last name of the address is the chart, the rest is the repository with its
 * `index.yaml`. Where the index leads on to a registry, the chart is taken there.
 */
export const helmRepository: SourceKind = {
  takes: ({ address, content }) => content === 'chart' && /^https?:/i.test(address) && !/\.tgz(?:\?|$)/i.test(address),

  resolve: async (request, context): Promise<ResolvedSource> => {
    const { version, urls, digest } = await choose(request, context);
    const { base } = partsOf(request, context);
    if (isInRegistry(urls[0]!)) {
      const address = urls[0]!.replace(/:[^:/@]+$/, '');
      const { digest: manifest } = await registryArtifact.resolve(inRegistry(request, address, version, base), context);
      return { version, url: address, digest: manifest };
    }
    const url = await refused('component-invalid', requestWords(request), () => parseAddress(urls[0]!, base));
    const kept = await download(request, url, context, namedFrom(url.href, base));
    if (digest !== undefined && kept.digest !== `sha256:${digest}`) {
      const message = `${url} is ${kept.digest}, but the index of its repository says sha256:${digest}`;
      throw new SolpackError('content-mismatch', requestWords(request), message, {
        side: 'source',
        hint: 'inform the publisher; nothing of it was used',
      });
    }
    return { version, url: url.href, digest: kept.digest };
  },

  bring: async (request, resolved, context) => {
    const { url, version } = resolved;
    const { base } = partsOf(request, context);
    if (url !== undefined && isInRegistry(url))
      return registryArtifact.bring(inRegistry(request, url, version, base), resolved, context);
    const place = url ?? request.address;
    const fetch = async (): Promise<KeptContent> => {
      const address = await refused('component-invalid', place, () => parseAddress(place));
      return download(request, address, context, namedFrom(address.href, base));
    };
    const found = (await context.store.find(resolved.digest)) ?? (await fetch());
    if (found.digest !== resolved.digest) throw movedSource(request, resolved, `${place} is now ${found.digest}`);
    await requireChart(found.path, request, { name: partsOf(request, context).name, version });
    return { path: found.path, root: found.path, name: place };
  },

  versions: async (request, context) => (await entriesOf(request, context)).map(({ version }) => version),
};

interface Parts {
  /** The repository, with `/` at its end. */
  readonly base: URL;
  readonly name: string;
}

function partsOf(request: SourceRequest, _context: SourceContext): Parts {
  const url = parseAddress(request.address);
  const path = trimmedEnd(url.pathname, '/');
  const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  if (name === '') {
    throw new SolpackError('component-invalid', request.address, 'names no chart of the repository', {
      hint: 'append the name of the chart to the address of its repository: https://HOST/charts/NAME',
    });
  }
  const base = new URL(url);
  base.pathname = path.slice(0, path.lastIndexOf('/') + 1);
  return { base, name };
}

/** Reads what the index of the repository says of the chart. */
async function entriesOf(request: SourceRequest, context: SourceContext): Promise<readonly IndexedChart[]> {
  const { base, name } = partsOf(request, context);
  const index = new URL(base);
  index.pathname += 'index.yaml';
  const subject = requestWords(request);
  const bytes = await context.connections.download(index, request.sentBy);
  const entries = await refused(
    'component-invalid',
    subject,
    () => readRepositoryIndex(bytes, name),
    `${index.href} is not an index as Helm writes it; for one file, write the address of the .tgz`,
  ).catch((error) => {
    if (!(error instanceof SolpackError) || error.code !== 'file-missing') throw error;
    throw absentSource(request, `${base.href} is not a Helm repository: it has no index.yaml`, 'check the address');
  });
  if (!entries) throw absentSource(request, `the repository ${base.href} has no chart ${name}`, 'check the name');
  return entries;
}

/** Finds the highest version in the repository's index that is in the range. */
async function choose(request: SourceRequest, context: SourceContext): Promise<IndexedChart> {
  const entries = await entriesOf(request, context);
  const versions = entries.map(({ version }) => version);
  const version = highestVersion(versions, request.version ?? '');
  const found = entries.find((entry) => entry.version === version);
  if (found) return found;
  throw absentSource(request, `no version of the chart is in that range${listOf(versions)}`, 'change the version');
}

function listOf(versions: readonly string[]): string {
  if (versions.length === 0) return '';
  const more = versions.length > SHOWN ? ` and ${versions.length - SHOWN} more` : '';
  return `; there are ${versions.slice(0, SHOWN).join(', ')}${more}`;
}

function isInRegistry(url: string): boolean {
  return /^oci:\/\//i.test(url);
}

/** What is asked of a registry that the index of a repository leads to. */
function inRegistry(request: SourceRequest, url: string, version: string | undefined, base: URL): SourceRequest {
  return { ...request, address: url.replace(/^oci:/i, 'oci:'), version, sentBy: namedFrom(url, base) };
}

async function download(
  request: SourceRequest,
  url: URL,
  { connections, store }: SourceContext,
  sentBy?: URL,
): Promise<KeptContent> {
  return store.keep(await connections.download(url, sentBy), sourceLimits.chart, requestWords(request));
}
