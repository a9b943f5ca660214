import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { collect } from '../../../formats/bytes.ts';
import { annotations, type Descriptor, mediaTypes } from '../../../formats/oci/descriptor.ts';
import type { ContentSource } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { contains } from '../../kernel/files/index.ts';
import { absentSource, requestWords } from './failures.ts';
import type { BroughtSource, SourceRequest, StoreContext } from './kind.ts';
import { sourceLimits } from './limits.ts';
import { type FoundManifest, keepBlob } from './manifest.ts';
import { bytesOf } from './store.ts';
import { Unpacking } from './unpack.ts';

/** The label of a registry+v1 bundle that says where its manifests are. */
const BUNDLE = 'operators.operatorframework.io.bundle.manifests.v1';

/** Most bytes of an image's config. */
const CONFIG = 8 * 1024 * 1024;

/** The annotation by which ORAS tells a folder that it packed from a file that happens to be an archive. */
const UNPACK = 'io.deis.oras.content.unpack';

/**
 * Unpacks the layers of an image, one over the other, or the files of an artifact. Returns the folder or file
 * `selected`; where nothing is selected and no bundle was asked for, the manifests of a registry+v1 bundle, otherwise
 * all.
 */
export async function unpackManifest(
  request: SourceRequest,
  { value }: FoundManifest,
  selected: string | undefined,
  source: ContentSource,
  context: StoreContext,
): Promise<BroughtSource> {
  const root = await context.store.scratch();
  const unpacking = new Unpacking(root, requestWords(request), context.flow.signal);
  for (const layer of value.layers) {
    const { path } = await keepBlob(layer, sourceLimits.files, request, source, context);
    const title = plainFile(layer);
    if (title === undefined) await unpacking.addLayer(path);
    else await unpacking.addFile(title, bytesOf(path));
  }
  await unpacking.end();
  const labelled = async (): Promise<string | undefined> =>
    request.content === 'bundle' ? undefined : bundleFolder(request, value.config, source, context);
  const path = resolve(root, selected ?? (await labelled()) ?? '');
  const exists = contains(root, path) && (await fs.lstat(path).catch(() => undefined)) !== undefined;
  if (exists) return { path, root, name: withoutPath(request.address) };
  throw absentSource(request, `has no ${selected ?? 'files'}`, 'name a path in it behind //, or publish it again');
}

/** Leaves out what an address selects within an image: what follows the `//` behind its scheme. */
function withoutPath(address: string): string {
  const inside = address.indexOf('//', address.indexOf('://') + '://'.length);
  return inside < 0 ? address : address.slice(0, inside);
}

/** Returns the name of a layer that ORAS pushed as a file; undefined where it is a tar archive of files. */
function plainFile({ annotations: notes = {} }: Descriptor): string | undefined {
  return notes[UNPACK] === 'true' ? undefined : notes[annotations.title];
}

/** Returns the folder that the labels of an image name as that of a bundle's manifests. */
async function bundleFolder(
  request: SourceRequest,
  config: Descriptor,
  source: ContentSource,
  context: StoreContext,
): Promise<string | undefined> {
  const folder = (await imageLabels(request, config, source, context))[BUNDLE];
  return typeof folder === 'string' ? join(folder) : undefined;
}

/** Returns the labels of an image; none of an artifact. Throws `component-invalid`. */
export async function imageLabels(
  request: SourceRequest,
  config: Descriptor,
  source: ContentSource,
  context: StoreContext,
): Promise<Readonly<Record<string, unknown>>> {
  if (config.mediaType !== mediaTypes.config && config.mediaType !== mediaTypes.dockerConfig) return {};
  const { path } = await keepBlob(config, CONFIG, request, source, context);
  try {
    const text = Buffer.from(await collect(bytesOf(path), CONFIG)).toString();
    const labels = (JSON.parse(text) as { config?: { Labels?: unknown } } | null)?.config?.Labels;
    return (labels as Record<string, unknown> | null | undefined) ?? {};
  } catch (cause) {
    throw new SolpackError('component-invalid', requestWords(request), 'the config of the image is not JSON', {
      cause,
      hint: 'build it again',
    });
  }
}
