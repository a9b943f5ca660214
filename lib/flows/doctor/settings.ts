import { dirname, resolve } from 'node:path';
import { imageWays, type ProfileKey } from '../../../formats/profile/fields.ts';
import type { Profile } from '../profile/index.ts';

/** What a profile says that checks go by. Paths are absolute, except that of a kubeconfig. */
export interface MachineSettings {
  readonly configuration: string | undefined;
  /** As it is written. */
  readonly kubeconfig: string | undefined;
  readonly policy: string | undefined;
  readonly keys: readonly string[];
  /** The settings that say how images get to nodes. */
  readonly ways: readonly ProfileKey[];
  readonly serve: string | undefined;
  readonly registry: string | undefined;
  readonly containerd: string | undefined;
  /** `k3s`, `rke2` or `k0s`, or one of these with a folder. */
  readonly imageFolder: string | undefined;
  readonly imageStore: string | undefined;
  readonly hostsDir: string | undefined;
  readonly authfile: string | undefined;
  readonly certsDir: string | undefined;
}

/** Returns what a profile says; of none, nothing. */
export function settingsOf(profile: Profile | undefined): MachineSettings {
  const text = (key: ProfileKey): string | undefined => {
    const value = profile?.settings.get(key)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const full = (path: string): string => resolve(dirname(profile?.path ?? '/'), path);
  const path = (key: ProfileKey): string | undefined => {
    const said = text(key);
    return said === undefined ? undefined : full(said);
  };
  const keys = profile?.settings.get('keys')?.value;
  return {
    configuration: path('configuration'),
    kubeconfig: text('kubeconfig'),
    policy: path('policy'),
    keys: Array.isArray(keys) ? keys.map(full) : [],
    ways: imageWays.filter((key) => profile?.settings.has(key) === true),
    serve: text('images.serve'),
    registry: text('images.registry'),
    containerd: path('images.containerd'),
    imageFolder: text('images.image-folder'),
    imageStore: path('images.image-store'),
    hostsDir: path('images.hosts-dir'),
    authfile: path('registry.authfile'),
    certsDir: path('registry.certs-dir'),
  };
}
