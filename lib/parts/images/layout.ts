import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { blobPath, layoutPaths, parseLayoutIndex, parseLayoutMarker } from '../../../formats/oci/layout.ts';
import { type Index, MANIFEST_LIMIT } from '../../../formats/oci/manifest.ts';
import type { NamedSource } from '../../kernel/content/index.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { readSmall, type SourceFile, type SourceFiles, streamFile } from './files.ts';
import { layoutReferrers, subjectReader } from './layout-referrers.ts';
import { findImage, namesOf } from './names.ts';

/**
 * Opens an OCI image layout as a source, wherever its files lie. Content is found by its digest alone. `namesElsewhere`
 * returns names of entries that the layout's index does not name. Throws `source-invalid` where the files are no layout
 * (image-spec "Image Layout").
 */
export async function layoutSource(
  files: SourceFiles,
  namesElsewhere: (entry: Descriptor, source: NamedSource) => Promise<readonly string[]> = async () => [],
): Promise<NamedSource> {
  const marker = await requireFile(files, layoutPaths.marker);
  const bytes = await requireFile(files, layoutPaths.index);
  const hint = `${layoutPaths.marker} or ${layoutPaths.index} is damaged; make the copy again`;
  const parse = (): Index => {
    parseLayoutMarker(marker);
    return parseLayoutIndex(bytes);
  };
  const index = await refused('source-invalid', files.name, parse, hint);
  const source: NamedSource = {
    name: files.name,
    open: (descriptor, options) => streamFile(() => openBlob(files, descriptor), options),
    locate: ({ digest }) => files.locate(blobPath(digest)),
    resolve: async (name, signal) => {
      const images = [];
      for (const entry of index.manifests) {
        // The only image stays the only one where its signatures are listed beside it.
        if (name === '' && index.manifests.length > 1 && (await subjectOf(entry, signal))) continue;
        const names = namesOf(entry);
        images.push({
          entry,
          digest: entry.digest,
          names: names.length > 0 ? names : await namesElsewhere(entry, source),
        });
      }
      return findImage(images, name, files.name)?.entry;
    },
    referrers: (subject, type, signal) => layoutReferrers(index.manifests, subjectOf, subject, type, signal),
    close: () => files.close(),
  };
  const subjectOf = subjectReader(source);
  return source;
}

async function openBlob(files: SourceFiles, { digest }: Descriptor): Promise<SourceFile> {
  const file = await files.open(blobPath(digest));
  if (file) return file;
  throw new SolpackError('source-invalid', files.name, `${blobPath(digest)} is not there, though the image needs it`, {
    side: 'source',
    hint: 'the copy is not complete; make it again with all platforms (skopeo copy --all)',
  });
}

async function requireFile(files: SourceFiles, path: string): Promise<Uint8Array> {
  const bytes = await readSmall(files, path, MANIFEST_LIMIT);
  if (bytes) return bytes;
  throw new SolpackError('source-invalid', files.name, `is not an OCI image layout: it has no file ${path}`, {
    hint: 'name a folder or an archive in OCI form; write docker-archive: for what docker save wrote, dir: for a skopeo folder',
  });
}
