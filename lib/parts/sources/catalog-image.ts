import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { Reference } from '../../../formats/oci/reference.ts';
import type { NamedSource } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { absentSource, requestWords } from './failures.ts';
import { imageLabels } from './image-files.ts';
import type { SourceRequest, StoreContext } from './kind.ts';
import { sourceLimits } from './limits.ts';
import { keepBlob, manifestOf } from './manifest.ts';
import { Unpacking } from './unpack.ts';

/** The label of a catalog that says where its files are. */
const CONFIGS = 'operators.operatorframework.io.index.configs.v1';

/** The label of a catalog of the older form. */
const DATABASE = 'operators.operatorframework.io.index.database.v1';

/**
 * Unpacks the files of a catalog from its image, and nothing else: such images also have the program that serves them.
 * Layers are not kept, because a catalog is needed once. Throws `component-invalid`, `component-absent`.
 */
export async function catalogFolder(
  request: SourceRequest,
  { tag = 'latest', digest }: Reference,
  source: NamedSource,
  context: StoreContext,
): Promise<{ readonly path: string; readonly root: string }> {
  const wanted = digest ?? tag;
  const found = await source.resolve(wanted, context.flow.signal);
  if (!found) throw absentSource(request, `${source.name} has no ${wanted}`, 'check the address');
  const { value } = await manifestOf(request, { digest: found.digest }, source, context);
  const labels = await imageLabels(request, value.config, source, context);
  const folder = labels[CONFIGS];
  if (typeof folder !== 'string') {
    const why =
      labels[DATABASE] === undefined
        ? `is not the image of a catalog: it has no label ${CONFIGS}`
        : 'is a catalog with a database, which OLM no longer maintains';
    throw new SolpackError('component-invalid', requestWords(request), why, {
      hint: 'name a file-based catalog; "opm migrate" makes one',
    });
  }
  const names = folder.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.includes('..')) {
    throw new SolpackError('component-invalid', requestWords(request), `its label ${CONFIGS} is ${folder}`, {
      hint: 'publish it again with a folder of its own',
    });
  }
  const root = await context.store.scratch();
  const unpacking = new Unpacking(root, requestWords(request), context.flow.signal, names.join('/'));
  for (const layer of value.layers) {
    const { path } = await keepBlob(layer, sourceLimits.layer, request, source, context, true);
    await unpacking.addLayer(path);
  }
  await unpacking.end();
  const path = join(root, ...names);
  const isThere = (await fs.lstat(path).catch(() => undefined))?.isDirectory() === true;
  if (!isThere) throw absentSource(request, `has no folder ${folder}, which its label names`, 'publish it again');
  return { path, root };
}
