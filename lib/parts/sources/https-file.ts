import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { refused } from '../../kernel/events/index.ts';
import { parseAddress } from './address.ts';
import { movedSource, requestWords } from './failures.ts';
import type { SourceContext, SourceKind, SourceRequest } from './kind.ts';
import { sourceLimits } from './limits.ts';
import type { KeptContent } from './store.ts';

/** A file at an address: a packed chart, or manifests. */
export const httpsFile: SourceKind = {
  takes: ({ address, content }) => (content === 'chart' || content === 'file') && /^https?:/i.test(address),

  resolve: async (request, context) => {
    const { digest } = await download(request, context);
    return { digest };
  },

  bring: async (request, resolved, context) => {
    const found = (await context.store.find(resolved.digest)) ?? (await download(request, context));
    if (found.digest !== resolved.digest) throw movedSource(request, resolved, `is now ${found.digest}`);
    const name = request.address;
    if (request.content === 'chart') return { path: found.path, root: found.path, name };
    // A file of manifests is known by its name.
    const folder = await context.store.scratch();
    const path = join(folder, nameOf(new URL(request.address)));
    await fs.copyFile(found.path, path);
    return { path, root: folder, name: name.slice(0, name.lastIndexOf('/')) };
  },
};

function nameOf({ pathname }: URL): string {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1).replace(/[^A-Za-z0-9._-]/g, '-') || 'manifests';
  return /\.(?:ya?ml|json)$/.test(name) ? name : `${name}.yaml`;
}

async function download(request: SourceRequest, { connections, store }: SourceContext): Promise<KeptContent> {
  const url = await refused('component-invalid', request.address, () => parseAddress(request.address));
  const limit = request.content === 'chart' ? sourceLimits.chart : sourceLimits.file;
  return store.keep(await connections.download(url, request.sentBy), limit, requestWords(request));
}
