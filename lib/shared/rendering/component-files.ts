import type { Bytes } from '../../../formats/bytes.ts';
import { verified } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { componentFolder } from '../../../formats/solution/component-folder.ts';
import { type Archive, damaged } from '../../parts/archives/index.ts';
import type { CollectedFile } from '../../parts/components/index.ts';

/**
 * Lists the files of a component of an archive. They are checked against their digests as they are read, which throws
 * `archive-damaged`.
 */
export function filesOfComponent(archive: Archive, component: string, signal: AbortSignal): CollectedFile[] {
  const prefix = componentFolder(archive.catalog.metadata.components.find(({ name }) => name === component)!);
  return archive.catalog.files
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, descriptor, mode }) => ({
      path: path.slice(prefix.length),
      mode,
      size: descriptor.size,
      open: () => read(archive, descriptor, signal),
    }));
}

async function* read(archive: Archive, descriptor: Descriptor, signal: AbortSignal): Bytes {
  try {
    yield* verified(archive.source.open(descriptor, { signal }), descriptor);
  } catch (error) {
    throw damaged(archive.path, error);
  }
}
