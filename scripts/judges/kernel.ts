import { existsSync, globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cache, replaceFolder } from '../home.ts';
import { findProgram } from '../node/programs.ts';
import { hasStaticBusybox } from './cluster.ts';
import { debian, updated } from './debian.ts';
import { execute, type Judge, present, tell, type Way } from './shell.ts';

/** Where Linux kernels are unpacked, each in a folder named after its package and version. */
const kernels = join(cache, 'kernel');

/** The modules that a virtual machine loads to read an ISO 9660 image from a drive, or from a file, in order. */
const modules = [
  'virtio_ring',
  'virtio',
  'virtio_pci_legacy_dev',
  'virtio_pci_modern_dev',
  'virtio_pci',
  'virtio_blk',
  'cdrom',
  'isofs',
  'loop',
] as const;

/** A Linux kernel for a virtual machine, not for this one. */
export interface Kernel {
  /** Its package and version, as Debian names them. */
  readonly name: string;
  /** The path of the bootable image. */
  readonly image: string;
  /** The paths of the modules that read ISO 9660 from virtio drives and from files, in the order of loading. */
  readonly modules: readonly string[];
}

/** The file that names the modules that were looked for in a kernel's package. */
const LOOKED_FOR = 'modules';

/** Finds the newest unpacked kernel; undefined where there is none, or it was unpacked for other modules. */
export function findKernel(): Kernel | undefined {
  const newest = globSync(`*/${LOOKED_FOR}`, { cwd: kernels })
    .filter((file) => readFileSync(join(kernels, file), 'utf8') === modules.join())
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
  if (newest === undefined) return undefined;
  const folder = join(kernels, newest, '..');
  // A module that is built into the kernel has no file.
  const paths = modules.map((name) => join(folder, `${name}.ko`)).filter((path) => existsSync(path));
  return { name: basename(folder), image: join(folder, 'vmlinuz'), modules: paths };
}

/** The programs of a virtual machine, with the Debian packages that install them. */
const programs: Readonly<Record<string, string>> = {
  busybox: 'busybox-static',
  cpio: 'cpio',
  'qemu-system-x86_64': 'qemu-system-x86',
  tar: 'tar',
};

/** What the Linux kernel needs to judge images: Debian's kernel, and a virtual machine to run it. */
export const kernelJudges: Readonly<Record<string, Judge>> = {
  ...Object.fromEntries(
    Object.entries(programs).map(([name, source]) => [
      name,
      { ways: [debian(source)], here: () => findProgram(name) !== undefined },
    ]),
  ),
  busybox: { ways: [debian(programs['busybox']!)], here: hasStaticBusybox },
  kernel: { ways: [debianKernel()], here: () => findKernel() !== undefined },
};

/** Returns which of them this machine lacks. */
export function kernelLacks(): string[] {
  return Object.keys(kernelJudges).filter((name) => !kernelJudges[name]!.here());
}

/** Downloads and unpacks, but never installs, the kernel of the machine's own Debian release for virtual machines. */
function debianKernel(): Way {
  return async () => {
    if (process.arch !== 'x64') throw new Error('needs a machine of x86-64');
    if (!present('apt-get') || !present('dpkg-deb')) throw new Error('needs apt-get');
    // Old package lists may name a package that no longer exists.
    await unpackKernel().catch(async () => {
      await updated();
      await unpackKernel();
    });
  };
}

async function unpackKernel(): Promise<void> {
  const depends = await execute('apt-cache', ['depends', 'linux-image-cloud-amd64']);
  const name = /Depends: (linux-image-\S+)/.exec(depends)?.[1];
  if (name === undefined) throw new Error('apt knows no linux-image-cloud-amd64');
  tell(`unpacking Debian's ${name}`);
  const folder = await mkdtemp(join(cache, 'unpack-'));
  try {
    // By default, apt drops root for a user that may not write into this checkout.
    const options = ['-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=3'];
    await execute('apt-get', [...options, 'download', name], { cwd: folder });
    const [file] = await readdir(folder);
    await execute('dpkg-deb', ['-x', file!, 'unpacked'], { cwd: folder });
    await mkdir(kernels, { recursive: true });
    await replaceFolder(join(kernels, basename(file!, '.deb')), (fresh) => pick(join(folder, 'unpacked'), fresh));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies what is needed of an unpacked package to `fresh`, and decompresses modules. */
async function pick(unpacked: string, fresh: string): Promise<void> {
  const [image] = globSync('boot/vmlinuz-*', { cwd: unpacked });
  if (image === undefined) throw new Error('the package has no boot/vmlinuz');
  for (const name of modules) {
    const [module] = globSync(`{lib,usr/lib}/modules/*/kernel/**/${name}.ko{,.xz}`, { cwd: unpacked });
    if (module === undefined) continue;
    if (module.endsWith('.xz')) await execute('xz', ['-d', join(unpacked, module)]);
    await copyFile(join(unpacked, module.replace(/\.xz$/, '')), join(fresh, `${name}.ko`));
  }
  await copyFile(join(unpacked, image), join(fresh, 'vmlinuz'));
  await writeFile(join(fresh, LOOKED_FOR), modules.join());
}
