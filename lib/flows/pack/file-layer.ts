import { skip } from '../../../formats/bytes.ts';
import { measure } from '../../../formats/digest.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import type { ContentSource } from '../../kernel/content/index.ts';
import type { CollectedFile } from '../../parts/components/index.ts';

/** Measures a file, and describes it as a layer that has the path `title` in an archive. */
export async function fileLayer(file: CollectedFile, mediaType: string, title: string): Promise<Descriptor> {
  const { digest, size } = await measure(file.open());
  const mode = file.mode === 0o755 ? { [solutionAnnotations.mode]: '0755' } : {};
  return { mediaType, digest, size, annotations: { [annotations.title]: title, ...mode } };
}

/** Makes a source of the bytes of a file; threads may read one that lies on the disk. */
export function fileSource({ origin, open }: CollectedFile, name: string): ContentSource {
  const range = origin === undefined ? undefined : { path: origin, offset: 0, size: undefined };
  return { name, open: (_, { offset = 0 } = {}) => skip(open(), offset), locate: async () => range };
}
