import { hexOf, sha256 } from '../../../formats/digest.ts';
import { MANIFEST_LIMIT, parseManifest } from '../../../formats/oci/manifest.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { folderFiles, readSmall, requireFolder, type SourceFile, streamFile } from './files.ts';
import type { ImageSourceKind } from './kind.ts';
import { splitLocation } from './location.ts';
import { findImage } from './names.ts';

/**
 * `dir:folder`: one image as `skopeo copy` writes it, with a `manifest.json` and each blob under its hexadecimal
 * digest.
 */
export const dir: ImageSourceKind = {
  transport: 'dir',
  open: async (location, context) => {
    const { path, reference } = splitLocation('dir', location, context);
    const hint = 'write dir:FOLDER for a folder that skopeo copy made';
    if (reference !== '') throw new SolpackError('source-invalid', path, 'a dir: source has no reference', { hint });
    await requireFolder(path, hint);
    const files = folderFiles(path);
    const bytes = await readSmall(files, 'manifest.json', MANIFEST_LIMIT);
    if (!bytes) throw new SolpackError('source-invalid', path, 'has no manifest.json', { hint });
    const { mediaType } = await refused('source-invalid', path, () => parseManifest(bytes), hint);
    const root = { mediaType, digest: sha256(bytes), size: bytes.length };
    const open = async (hex: string): Promise<SourceFile> => {
      // skopeo gives the manifests that an index lists a suffix, unlike blobs.
      const names = hex === hexOf(root.digest) ? ['manifest.json'] : [hex, `${hex}.manifest.json`];
      for (const name of names) {
        const file = await files.open(name);
        if (file) return file;
      }
      throw new SolpackError('source-invalid', path, `has no file ${hex}, though the image needs it`, {
        side: 'source',
        hint: 'make the copy again with all platforms (skopeo copy --all)',
      });
    };
    return {
      name: '',
      source: {
        name: path,
        open: ({ digest }, options) => streamFile(() => open(hexOf(digest)), options),
        locate: ({ digest }) => files.locate(hexOf(digest)),
        resolve: async (name) => findImage([{ ...root, names: [] }], name, path) && root,
        close: () => files.close(),
      },
    };
  },
};
