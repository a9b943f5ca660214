import { basename, dirname, join } from 'node:path';
import { schemaLine } from '../../../formats/document/schema-line.ts';
import { PROFILE_HEAD } from '../../../formats/profile/edit.ts';
import { imageWays, type ProfileKey } from '../../../formats/profile/fields.ts';
import type { SetupAction } from './action.ts';
import type { ImageWay } from './choose.ts';
import type { Machine } from './machine.ts';
import { registriesActions } from './rancher.ts';
import { type SharedSecrets, sharedActions, sharedFiles } from './shared.ts';
import { UNITS } from './systemd.ts';
import { SERVE_UNIT, serveUnit } from './unit.ts';

/** A public key that has to be on the machine itself, because it came on a medium. */
export interface CarriedFile {
  /** Its name, and the text that it has. */
  readonly name: string;
  readonly text: string;
}

/** The desired state of a machine. Paths are absolute. */
export interface SetupRequest {
  readonly profile: string;
  /** The SolutionsConfiguration; left out on a machine without Kubernetes. */
  readonly configuration?: string | undefined;
  readonly kubeconfig?: string | undefined;
  /**
   * Public keys, which are copied into the folder of the profile, or a policy, which stays where it is, beside the keys
   * that it names; left out where the profile has them already.
   */
  readonly trust?:
    | { readonly kind: 'keys'; readonly files: readonly CarriedFile[] }
    | { readonly kind: 'policy'; readonly path: string }
    | undefined;
  /** `--key` or `--policy` with a path for each, as the profile has them already. */
  readonly trusted?: readonly string[] | undefined;
  /** How images get to nodes; left out where the profile says it already, and on a machine without Kubernetes. */
  readonly images?: ImageWay | undefined;
  /** What a "serve" for several nodes is known by, where that is the way. */
  readonly shared?: SharedSecrets | undefined;
  /** What was found; left out, nothing is configured that a distribution of Kubernetes has its own file for. */
  readonly machine?: Machine | undefined;
  /** The words of a command line that run solpack. */
  readonly program: readonly string[];
  /** Executables that are to be copied, because they lie on a medium, and where to. */
  readonly copies: readonly { readonly from: string; readonly path: string }[];
}

/** Returns what has to be done for a machine to be as it is asked for, in order. Nothing is done. */
export function planSetup(request: SetupRequest): SetupAction[] {
  const { profile, copies, trust, configuration, kubeconfig, images } = request;
  const folder = dirname(profile);
  const carried = trust?.kind === 'keys' ? trust.files : [];
  const files = carried.map(({ name, text }) => ({ path: join(folder, basename(name)), text }));
  const paths = trust?.kind === 'policy' ? [trust.path] : files.map(({ path }) => path);
  const rest: SetupAction[] = [
    ...files.map((file) => ({ kind: 'file', ...file, what: 'public key' }) as const),
    ...(configuration === undefined ? [] : configurationActions(profile, configuration)),
    ...(kubeconfig === undefined ? [] : [setting(profile, 'kubeconfig', kubeconfig)]),
    ...(trust === undefined ? [] : trustSettings(profile, trust.kind, paths)),
    ...(images === undefined ? [] : imageActions(images, request, paths)),
  ];
  const own: readonly SetupAction[] = rest.length === 0 ? [] : [{ kind: 'folder', path: folder }];
  const all = rest.map((one) =>
    one.kind === 'setting' && one.path === profile ? { ...one, base: PROFILE_HEAD } : one,
  );
  const schema: readonly SetupAction[] = all.some(({ kind }) => kind === 'setting')
    ? [{ kind: 'schema', path: profile, format: 'profile' }]
    : [];
  return [...copies.map((copy) => ({ kind: 'program', ...copy }) as const), ...own, ...schema, ...all];
}

function configurationActions(profile: string, configuration: string): SetupAction[] {
  const folder = dirname(configuration);
  return [
    ...(folder === dirname(profile) ? [] : [{ kind: 'folder', path: folder } as const]),
    { kind: 'file', path: configuration, text: EMPTY, what: 'SolutionsConfiguration without a Solution', begin: true },
    { kind: 'schema', path: configuration, format: 'configuration' },
    setting(profile, 'configuration', configuration),
  ];
}

/** A SolutionsConfiguration that `import` adds to. */
const EMPTY = `${schemaLine('configuration')}
apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata:
  name: default
solutions: []
`;

function trustSettings(profile: string, kind: 'keys' | 'policy', paths: readonly string[]): SetupAction[] {
  const other = kind === 'keys' ? 'policy' : 'keys';
  const written = kind === 'keys' ? JSON.stringify(paths) : JSON.stringify(paths[0]);
  return [
    { kind: 'setting', path: profile, key: other },
    { kind: 'setting', path: profile, key: kind, written: written.replaceAll('","', '", "') },
  ];
}

function imageActions(images: ImageWay, request: SetupRequest, paths: readonly string[]): SetupAction[] {
  const { profile, machine } = request;
  const key = images.way === 'served' || images.way === 'shared' ? 'images.serve' : (`images.${images.way}` as const);
  const others = imageWays.filter((way) => way !== key);
  const hostsDir = 'hostsDir' in images ? images.hostsDir : undefined;
  return [
    setting(profile, key, wayValue(images)),
    // Last, so that the table of the profile stays where it is.
    ...others.map((other) => ({ kind: 'setting', path: profile, key: other }) as const),
    hostsDir === undefined
      ? ({ kind: 'setting', path: profile, key: 'images.hosts-dir' } as const)
      : setting(profile, 'images.hosts-dir', hostsDir),
    ...(hostsDir === undefined ? [] : [{ kind: 'folder', path: hostsDir } as const]),
    ...('address' in images && machine !== undefined ? registriesActions(machine, images.address) : []),
    ...(images.way === 'shared' && request.shared !== undefined
      ? sharedActions(profile, dirname(profile), images.address, request.shared)
      : []),
    ...(images.way === 'serve' || images.way === 'shared' ? serveActions(images, request, paths) : []),
    ...(images.way === 'image-store' ? storeActions(images.folder) : []),
  ];
}

function wayValue(images: ImageWay): string {
  switch (images.way) {
    case 'serve':
    case 'shared':
    case 'served':
    case 'registry':
      return images.address;
    case 'image-folder':
      return images.distribution;
    case 'containerd':
      return images.socket;
    case 'image-store':
      return images.folder;
  }
}

function serveActions(
  { way, address }: Extract<ImageWay, { way: 'serve' | 'shared' }>,
  request: SetupRequest,
  paths: readonly string[],
): SetupAction[] {
  const { server, users } = sharedFiles(dirname(request.profile));
  const { program, configuration = '', trust, trusted = [] } = request;
  const flag = trust?.kind === 'policy' ? '--policy' : '--key';
  const own = paths.flatMap((path) => [flag, path]);
  const text = serveUnit({
    program,
    configuration,
    trust: own.length > 0 ? own : trusted,
    listen: new URL(address).host,
    access: way === 'shared' ? ['--tls-cert', server, '--tls-key', server, '--htpasswd', users] : [],
  });
  return [
    { kind: 'file', path: join(UNITS, SERVE_UNIT), text, what: 'service that serves images' },
    { kind: 'service', unit: SERVE_UNIT },
  ];
}

/**
 * Where podman and CRI-O read what storage there is (containers-storage.conf(5)), and what they go by where it is not
 * there.
 */
const STORAGE = '/etc/containers/storage.conf';
const usualStorage = `[storage]
driver = "overlay"
runroot = "/run/containers/storage"
graphroot = "/var/lib/containers/storage"

[storage.options]
`;

function storeActions(folder: string): SetupAction[] {
  return [
    { kind: 'folder', path: folder },
    { kind: 'folder', path: dirname(STORAGE) },
    {
      kind: 'setting',
      path: STORAGE,
      key: 'storage.options.additionalimagestores',
      member: folder,
      base: usualStorage,
    },
  ];
}

function setting(path: string, key: ProfileKey, word: string): SetupAction {
  return { kind: 'setting', path, key, written: JSON.stringify(word) };
}
