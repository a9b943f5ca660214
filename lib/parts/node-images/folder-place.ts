import { resolve } from 'node:path';
import { SolpackError } from '../../kernel/events/index.ts';
import { type FolderForm, folderRules, isImageFolderKind } from './folder-rules.ts';
import type { NodePlace } from './kind.ts';

/** A folder of images, as a user names it. */
export interface ImageFolder {
  /** `k3s`, `rke2` or `k0s`, or one of these with `:FOLDER` behind it. */
  readonly name: string;
  readonly form: FolderForm;
  /** An absolute path, to which a folder is relative. */
  readonly cwd: string;
}

/** Finds the folder of images of a distribution: the usual one, unless another one is named. Throws `usage-invalid`. */
export function imageFolder({ name, form, cwd }: ImageFolder): NodePlace {
  const [, way = '', folder] = /^([^:]*)(?::(.+))?$/.exec(name) ?? [];
  if (!isImageFolderKind(way)) {
    throw new SolpackError('usage-invalid', name, 'is not a known folder of images', {
      hint: `write one of ${Object.keys(folderRules).join(', ')}, or one of these with :FOLDER behind it`,
    });
  }
  const { forms, folder: usual } = folderRules[way];
  if (!(forms as readonly FolderForm[]).includes(form)) {
    throw new SolpackError('usage-invalid', form, `is not a form that ${way} accepts`, {
      hint: `write ${forms.join(' or ')}`,
    });
  }
  return { way, place: folder === undefined ? usual : resolve(cwd, folder), form };
}
