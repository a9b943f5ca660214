/**
 * How images are written into a folder: as a tar, as one that is compressed by Zstandard, or as a list of names to
 * pull.
 */
export const folderForms = ['tar', 'tar.zst', 'txt'] as const;

/** One of these. */
export type FolderForm = (typeof folderForms)[number];

/** What a distribution of Kubernetes makes of the files in its folder of images. */
export interface FolderRules {
  /** Where the folder is, unless the distribution is configured otherwise. */
  readonly folder: string;
  /** The forms that it takes. */
  readonly forms: readonly FolderForm[];
  /**
   * Where the names with digests are, by which Pods ask for images. `within`: it imports the names of an archive as
   * they are. `beside`: it wants a tag in every name, and gives images their names with digests by itself; versions
   * before December 2025 do not, so that a second archive has these names and nothing else. What wants tags refuses
   * that one after it has taken the names.
   */
  readonly digestNames: 'within' | 'beside';
}

const k3s: Omit<FolderRules, 'folder'> = { forms: folderForms, digestNames: 'beside' };

/** The distributions whose folders are known. */
export const folderRules = {
  k3s: { ...k3s, folder: '/var/lib/rancher/k3s/agent/images' },
  rke2: { ...k3s, folder: '/var/lib/rancher/rke2/agent/images' },
  k0s: { folder: '/var/lib/k0s/images', forms: ['tar'], digestNames: 'within' },
} as const satisfies Record<string, FolderRules>;

/** A name of `folderRules`. */
export type ImageFolderKind = keyof typeof folderRules;

/** Decides whether a distribution with a folder of images has that name. */
export function isImageFolderKind(name: string): name is ImageFolderKind {
  return Object.hasOwn(folderRules, name);
}
