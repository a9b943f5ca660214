import { closingOnFailure, tarFiles } from './files.ts';
import type { ImageSourceKind } from './kind.ts';
import { layoutSource } from './layout.ts';
import { splitLocation } from './location.ts';

/** `oci-archive:file[:reference]`: an OCI image layout in a tar archive, read in place. */
export const ociArchive: ImageSourceKind = {
  transport: 'oci-archive',
  open: async (location, context) => {
    const { path, reference } = splitLocation('oci-archive', location, context);
    const files = await tarFiles(path, context.host);
    return { source: await closingOnFailure(files, () => layoutSource(files)), name: reference };
  },
};
