import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ComponentDefinition } from '../../../formats/solution/definition.ts';
import { lend, SolpackError } from '../../kernel/events/index.ts';
import { contains } from '../../kernel/files/index.ts';
import type { ComponentSpec } from '../../parts/components/index.ts';
import { imagesInArchive, openImageSource } from '../../parts/images/index.ts';
import { type StoreContext, unpackedFolder, unpackedImage } from '../../parts/sources/index.ts';

type Located = Pick<ComponentSpec, 'path' | 'root'>;

/**
 * Unpacks the bundle of an operator that is one file: a tar archive of its folder, or one of its image, as `docker
 * save`, `podman save` and `skopeo` write it. Undefined for everything else. Throws `component-invalid`,
 * `source-invalid`.
 */
export async function archivedBundle(
  kind: ComponentDefinition['kind'],
  { path, root }: Located,
  context: StoreContext,
): Promise<Located | undefined> {
  if (kind !== 'registry+v1' && kind !== 'plain+v0') return undefined;
  const real = await fs.realpath(path).catch(() => undefined);
  const isFile = real !== undefined && (await fs.stat(real)).isFile();
  // What is wrong with the path is reported when its files are listed.
  if (!isFile || !contains(await fs.realpath(root), real)) return undefined;
  const { host, signal } = context.flow;
  const images = await imagesInArchive(real, host);
  if (images === undefined) return located(await unpackedFolder(real, context));
  const [only, ...others] = images.images;
  if (only === undefined || others.length > 0) {
    throw new SolpackError(
      'component-invalid',
      path,
      `holds ${images.images.length} images, but a bundle is one image`,
      {
        hint: 'write an archive of the image of the bundle alone',
      },
    );
  }
  const elsewhere = (): never => {
    throw new SolpackError('component-invalid', path, 'leads elsewhere');
  };
  const { source, name } = await openImageSource(`${images.transport}:${real}`, {
    folder: dirname(real),
    connect: elsewhere,
    openArchive: elsewhere,
    host,
    daemons: {},
    signal,
  });
  return lend({ source, [Symbol.asyncDispose]: () => source.close() }, async () => {
    const found = await source.resolve(name, signal);
    return found && located(await unpackedImage(path, source, found.digest, context));
  });
}

function located({ path, root }: Located): Located {
  return { path, root };
}
