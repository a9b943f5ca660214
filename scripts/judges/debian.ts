import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, cache } from '../home.ts';
import { execute, once, present, tell, type Way } from './shell.ts';

/** The Debian release whose packages are unpacked where the machine's own release lacks a program. */
const newer = 'trixie';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** The packages that install a service, with its name. */
const services: Readonly<Record<string, string>> = {
  containerd: 'containerd',
  'docker-registry': 'docker-registry',
  'etcd-server': 'etcd',
  'nginx-light': 'nginx',
  podman: 'podman.socket',
};

/** Installs a package of the machine's own Debian release, as root or by sudo without a password. */
export function debian(name: string): Way {
  return async () => {
    if (!present('apt-get')) throw new Error('needs apt-get');
    await updated();
    tell(`installing Debian's ${name}`);
    await apt(['install', '-qq', '--no-install-recommends', name]);
    await stopService(name);
  };
}

/**
 * Unpacks programs of a package of a newer Debian release into the project's own programs, without root. The package
 * has the program's name unless others are named.
 */
export function newerDebian(name: string, { programs = [name] }: { readonly programs?: readonly string[] } = {}): Way {
  return async () => {
    const folder = await mkdtemp(join(cache, 'unpack-'));
    try {
      await unpackNewer([name], folder);
      for (const program of programs) await rename(join(folder, 'usr/bin', program), join(bin, program));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Unpacks packages of a newer Debian release into `target`, without root: what `downloadNewer` gets. */
export async function unpackNewer(names: readonly string[], target: string, architecture?: string): Promise<void> {
  tell(`unpacking ${names.join(', ')} of Debian ${newer}${architecture === undefined ? '' : ` for ${architecture}`}`);
  const folder = await mkdtemp(join(cache, 'download-'));
  try {
    await downloadNewer(names, folder, architecture);
    for (const file of await readdir(folder)) await execute('dpkg-deb', ['-x', file, target], { cwd: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Downloads packages of a newer Debian release into `target`, without root: those of this machine's architecture, or of
 * another, and of a version where a name has one behind it: `libc6=2.41-12`. apt downloads them from the machine's
 * mirror, with package lists of its own, and checks them by the archive's key.
 */
export async function downloadNewer(names: readonly string[], target: string, architecture?: string): Promise<void> {
  if (!present('apt-get') || !present('dpkg-deb')) throw new Error('needs apt-get');
  const lists = join(cache, architecture === undefined ? newer : `${newer}-${architecture}`);
  const options = optionsFor(lists, architecture);
  await newerLists(lists, options);
  await execute('apt-get', [...options, 'download', ...names], { cwd: target });
}

/** Updates apt's package lists, once. */
export const updated: Way = once(() => apt(['update', '-qq']));

const updatedLists = new Set<string>();

async function newerLists(lists: string, options: readonly string[]): Promise<void> {
  if (updatedLists.has(lists)) return;
  const targets = await execute('apt-get', ['indextargets', '--format', '$(ORIGIN) $(REPO_URI)']);
  const mirror = /^Debian (\S+)$/m.exec(targets)?.[1];
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  if (!/^ID=debian$/m.test(release) || !mirror || !existsSync(keyring)) throw new Error('needs Debian');
  for (const folder of ['state/lists/partial', 'cache/archives/partial']) {
    await mkdir(join(lists, folder), { recursive: true });
  }
  await writeFile(join(lists, 'sources.list'), `deb [signed-by=${keyring}] ${mirror} ${newer} main\n`);
  await execute('apt-get', [...options, 'update', '-qq']);
  updatedLists.add(lists);
}

function optionsFor(lists: string, architecture: string | undefined): string[] {
  const settings = {
    'Dir::Etc::sourcelist': join(lists, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State': join(lists, 'state'),
    'Dir::Cache': join(lists, 'cache'),
    // By default, apt drops root for a user that may not write into this checkout.
    'APT::Sandbox::User': 'root',
    'Acquire::Retries': '3',
    ...(architecture === undefined ? {} : { 'APT::Architecture': architecture, 'APT::Architectures::': architecture }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

async function apt(args: readonly string[]): Promise<void> {
  await asRoot(['apt-get', '-y', '-o', 'Acquire::Retries=3', ...args]);
}

async function asRoot([program, ...args]: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (process.getuid?.() === 0) await execute(program!, args, { env });
  else if (present('sudo')) await execute('sudo', ['-n', program!, ...args], { env });
  else throw new Error(`needs root for ${program} ${args.join(' ')}`);
}

/** Stops a service that Debian has started with a program: tests start their own. */
async function stopService(name: string): Promise<void> {
  const service = services[name];
  if (service && existsSync('/run/systemd/system')) await asRoot(['systemctl', 'disable', '--now', service]);
}
