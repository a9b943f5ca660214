import { SolpackError } from '../../kernel/events/index.ts';
import type { ImageSourceKind } from './kind.ts';
import { splitLocation } from './location.ts';
import { findImage } from './names.ts';

/** `solpack:file[:reference]`: an image in an archive of a Solution, read in place. */
export const solpack: ImageSourceKind = {
  transport: 'solpack',
  open: async (location, context) => {
    const { path, reference } = splitLocation('solpack', location, context);
    const archive = await context.openArchive(path, context.signal).catch((error) => {
      throw error instanceof SolpackError && /^archive-(?:invalid|damaged)$/.test(error.code)
        ? new SolpackError('source-invalid', error.subject, error.message, {
            cause: error,
            hint: 'write solpack:FILE:REFERENCE for an archive that "solpack pack" made',
          })
        : error;
    });
    return {
      name: reference,
      source: {
        ...archive,
        resolve: async (name) => {
          const attached = archive.attached.find(({ names, digest }) => digest === name || names.includes(name));
          return (findImage(archive.images, name, path) ?? attached)?.descriptor;
        },
      },
    };
  },
};
