import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findKernel, type Kernel } from '../../../scripts/judges/kernel.ts';
import { programPath } from '../../../scripts/node/programs.ts';
import { ok } from '../judges.ts';

/** Bytes of the drive that the machine writes what it found to. */
const resultSize = 64 * 1024 * 1024;

/** A machine that stands still is stopped after so many milliseconds. */
const patience = 420_000;

/** The last line on the console of a machine that did all it had to. */
const finished = 'all was done';

/** What a virtual machine has, and does. */
export interface Machine {
  /** A script for busybox, which puts what it finds into /out. */
  readonly init: string;
  /** Paths of images, each of which is a drive: `driveAt` names it. */
  readonly drives: readonly string[];
  /** Files and folders of this machine, by their paths on that one. */
  readonly files: readonly (readonly [at: string, path: string])[];
  /** In MiB. */
  readonly memory: number;
}

/** Returns the name that Linux gives to a drive of a machine. */
export function driveAt(at: number): string {
  return `/dev/vd${String.fromCharCode('b'.charCodeAt(0) + at)}`;
}

/** Returns a program with the libraries that it is linked with, as files of a machine. */
export async function programFiles(at: string, path: string): Promise<Machine['files']> {
  const libraries = (await ok('ldd', [path])).match(/\/\S+(?= \(0x)/g) ?? [];
  return [[at, path], ...libraries.map((library) => [library, library] as const)];
}

/**
 * Boots Linux, lets it do what `init` says, and returns the folder with all that it put into /out. `folder` is an empty
 * one that may be filled. Throws, with the end of the console, where Linux did not come to its end.
 */
export async function runMachine(folder: string, { init, drives, files, memory }: Machine): Promise<string> {
  const kernel = findKernel();
  if (!kernel) throw new Error('there is no kernel to boot; run npm run test:kernel');
  const initramfs = await makeInitramfs(join(folder, 'initramfs'), kernel, init, files);
  const results = join(folder, 'results.tar');
  writeFileSync(results, '');
  truncateSync(results, resultSize);
  const drive = (path: string, more: string): string[] => ['-drive', `file=${path},format=raw,if=virtio${more}`];
  await run([
    ...['-m', String(memory), '-kernel', kernel.image, '-initrd', initramfs],
    ...['-append', 'console=ttyS0 quiet panic=-1'],
    ...drive(results, ''),
    ...drives.flatMap((path) => drive(path, ',readonly=on')),
  ]);
  const unpacked = join(folder, 'results');
  mkdirSync(unpacked);
  await ok('tar', ['-xf', results, '-C', unpacked]);
  return unpacked;
}

/**
 * The first process: busybox with all its names, what Linux shows of itself, the modules, `init`, and the results on
 * the first drive.
 */
const around = (init: string): string => `#!/bin/busybox sh
/bin/busybox --install /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in /modules/*; do insmod $module || echo "$module was not loaded"; done
${init}
tar -c -C /out . >/dev/vda && sync && echo '${finished}'
poweroff -f
`;

/**
 * Makes the file system that Linux starts from: busybox, the modules in the order of loading, files, and the first
 * process.
 */
async function makeInitramfs(folder: string, kernel: Kernel, init: string, files: Machine['files']): Promise<string> {
  for (const name of ['bin', 'modules', 'proc', 'sys', 'dev', 'mnt', 'out', 'tmp']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  copyFileSync(programPath('busybox'), join(folder, 'bin/busybox'));
  for (const [at, path] of kernel.modules.entries()) {
    copyFileSync(path, join(folder, 'modules', String(at).padStart(2, '0')));
  }
  for (const [at, path] of files) {
    const to = join(folder, at);
    if (existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to, { recursive: true, dereference: true });
  }
  writeFileSync(join(folder, 'init'), around(init));
  chmodSync(join(folder, 'init'), 0o755);
  const archive = `${folder}.cpio`;
  await ok('bash', ['-c', `find . | cpio --quiet -o -H newc >'${archive}'`], { cwd: folder });
  return archive;
}

/**
 * Runs a virtual machine to its end. Its processor is emulated: not every machine that tests run on has a real one to
 * give.
 */
function run(args: readonly string[]): Promise<void> {
  const fixed = ['-accel', 'tcg', '-cpu', 'max', '-nodefaults', '-no-reboot', '-display', 'none', '-serial', 'stdio'];
  return new Promise((settle, reject) => {
    const child = spawn(programPath('qemu-system-x86_64'), [...fixed, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let console = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        console = (console + chunk).slice(-10_000);
      });
    }
    const stop = (): void => void child.kill('SIGKILL');
    // Clock: a limit, for a machine that never ends.
    const late = setTimeout(stop, patience);
    process.once('exit', stop);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(late);
      process.off('exit', stop);
      if (code === 0 && console.includes(finished)) settle();
      else reject(new Error(`the virtual machine ended with ${code ?? signal} before it was done:\n${console}`));
    });
  });
}
