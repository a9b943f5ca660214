/**
 * What a setting of a profile holds. `path` is a file or a folder, relative to that of the profile; `paths` are
 * several.
 */
export type ProfileType = 'path' | 'paths' | 'text' | 'address' | 'duration' | 'yes' | 'count';

/** A setting that a profile may have, and its meaning for this machine. */
export interface ProfileField {
  readonly type: ProfileType;
  readonly title: string;
  /** What counts where neither a profile nor a flag says it. */
  readonly default?: string | boolean | number;
}

/** Every setting of a profile, by its name in TOML. */
export const profileFields = {
  configuration: { type: 'path', title: 'the SolutionsConfiguration', default: '/etc/solpack/solutions.yaml' },
  kubeconfig: { type: 'path', title: 'the kubeconfig of the cluster' },
  policy: { type: 'path', title: 'the trust policy' },
  keys: { type: 'paths', title: 'public keys, of which one has to have signed' },
  'images.serve': { type: 'address', title: 'the address of the "solpack serve" that runs here' },
  'images.registry': { type: 'address', title: 'the registry that images are pushed to' },
  'images.containerd': { type: 'path', title: 'the socket of the containerd that images are imported into' },
  'images.image-folder': { type: 'text', title: 'the distribution whose folder images are put into: k3s, rke2 or k0s' },
  'images.image-store': { type: 'path', title: 'the additional image store of podman and CRI-O' },
  'images.hosts-dir': { type: 'path', title: "containerd's config_path, where mirrors are written" },
  'registry.authfile': { type: 'path', title: 'credentials for registries' },
  'registry.certs-dir': { type: 'path', title: 'certificates for registries' },
  'install.timeout': { type: 'duration', title: 'how long a component may take to become ready', default: '5m' },
  'install.rollback-on-failure': {
    type: 'yes',
    title: 'whether a failed install goes back to the previous generation',
    default: false,
  },
  'install.keep-generations': { type: 'count', title: 'how many generations the cluster remembers', default: 10 },
  'boot.image': { type: 'text', title: 'the image of solpack that loaders run' },
  'boot.parameters': { type: 'paths', title: 'the files that a loader has beside its configuration' },
  'boot.archives': { type: 'text', title: 'where a loader has archives: /FOLDER of the node, or claim:NAME' },
  'boot.server': { type: 'text', title: 'where a loader reaches the API server before Services work' },
  'boot.schedule': { type: 'text', title: 'when repairs begin after a boot' },
} as const satisfies Readonly<Record<string, ProfileField>>;

/** The name of a setting of a profile. */
export type ProfileKey = keyof typeof profileFields;

/** Settings that say how images get to nodes, of which a profile has one at most. */
export const imageWays = [
  'images.serve',
  'images.registry',
  'images.containerd',
  'images.image-folder',
  'images.image-store',
] as const satisfies readonly ProfileKey[];

/** Returns whether a word is the name of a setting. */
export function isProfileKey(word: string): word is ProfileKey {
  return Object.hasOwn(profileFields, word);
}
