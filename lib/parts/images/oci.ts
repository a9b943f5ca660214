import { folderFiles, requireFolder } from './files.ts';
import type { ImageSourceKind } from './kind.ts';
import { layoutSource } from './layout.ts';
import { splitLocation } from './location.ts';

/** `oci:folder[:reference]`: an OCI image layout in a folder. */
export const oci: ImageSourceKind = {
  transport: 'oci',
  open: async (location, context) => {
    const { path, reference } = splitLocation('oci', location, context);
    await requireFolder(path, `write oci-archive:${path} for an archive`);
    return { source: await layoutSource(folderFiles(path)), name: reference };
  },
};
