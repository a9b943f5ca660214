import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../../../formats/digest.ts';
import type { NamedSource } from '../../kernel/content/index.ts';
import { unpackManifest } from './image-files.ts';
import type { BroughtSource, SourceRequest, StoreContext } from './kind.ts';
import { manifestOf } from './manifest.ts';
import { Unpacking } from './unpack.ts';

/**
 * Unpacks a tar archive on this machine, plain or compressed. Of one that holds a single folder, that folder is
 * returned. Throws `component-invalid`.
 */
export async function unpackedFolder(path: string, { store, flow }: StoreContext): Promise<BroughtSource> {
  const root = await store.scratch();
  const unpacking = new Unpacking(root, path, flow.signal);
  await unpacking.addLayer(path);
  await unpacking.end();
  const entries = await fs.readdir(root, { withFileTypes: true });
  const [only, ...others] = entries;
  const isOne = only?.isDirectory() === true && others.length === 0;
  return { path: isOne ? join(root, only.name) : root, root, name: path };
}

/**
 * Unpacks all files of an image that lies in the file `path`, and that `source` has opened there. Throws
 * `component-invalid`.
 */
export async function unpackedImage(
  path: string,
  source: NamedSource,
  digest: Digest,
  context: StoreContext,
): Promise<BroughtSource> {
  const request: SourceRequest = { address: path, version: undefined, content: 'bundle' };
  const manifest = await manifestOf(request, { digest }, source, context);
  return unpackManifest(request, manifest, undefined, source, context);
}
