import { join } from 'node:path';
import { MANIFESTS, METADATA, type OperatorBundleFile } from '../../../formats/bundle/files.ts';
import { collect as gather } from '../../../formats/bytes.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { listFiles, locateFile } from './files.ts';
import type { CollectedFile } from './kind.ts';

/** Most bytes of all files of a bundle. */
const LIMIT = 64 * 1024 * 1024;

/** A bundle of an operator that lies in a folder. */
export interface BundleFolder {
  readonly files: readonly CollectedFile[];
  readonly contents: readonly OperatorBundleFile[];
}

/**
 * Reads what counts of a bundle: its folders `manifests` and `metadata`. A folder in the first is refused, empty or
 * not. Throws `component-invalid`, `file-missing`, `file-unreadable`.
 */
export async function readBundleFolder(
  root: string,
  folder: string,
  parts: readonly string[] = [MANIFESTS, METADATA],
  signal?: AbortSignal,
): Promise<BundleFolder> {
  const { stats } = await locateFile(root, folder);
  if (!stats.isDirectory()) {
    throw new SolpackError('component-invalid', folder, 'is a file without a bundle', {
      hint: 'name the folder of a bundle, a .tar of it, or its image: docker://REFERENCE',
    });
  }
  const skip = (path: string, isFolder: boolean): boolean => {
    const [top = '', second] = path.split('/');
    if (isFolder && top === MANIFESTS && second !== undefined) {
      throw new SolpackError(
        'component-invalid',
        join(folder, path),
        `is a folder in ${MANIFESTS}, which may only hold files`,
        { hint: 'move its files into that folder' },
      );
    }
    return !parts.includes(top) || (!isFolder && second === undefined);
  };
  const files = (await listFiles(root, folder, { skip, signal })).map((file) => ({ ...file, mode: 0o644 }));
  const contents: OperatorBundleFile[] = [];
  let left = LIMIT;
  for (const { path, open, size } of files) {
    left -= size;
    if (left < 0) {
      throw new SolpackError(
        'component-invalid',
        folder,
        `has more than the ${sizeWords(LIMIT)} that a bundle may have`,
        {
          hint: 'name the folder that holds only the bundle',
        },
      );
    }
    contents.push({ path, bytes: await gather(open(), LIMIT) });
  }
  return { files, contents };
}
