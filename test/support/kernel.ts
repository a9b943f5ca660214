import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { findKernel, type Kernel, kernelLacks } from '../../scripts/judges/kernel.ts';
import { programPath } from '../../scripts/node/programs.ts';
import { ok } from './judges.ts';
import { finished, initScript } from './kernel/init.ts';
import { type KernelTrees, readResults } from './kernel/results.ts';

/** Bytes of the drive that the machine writes what it read to. */
const resultSize = 64 * 1024 * 1024;

/** A machine that stands still is stopped after so many milliseconds. */
const patience = 420_000;

/** Drives beyond these find no place on the machine's bus. */
const mostImages = 24;

/**
 * A test that needs the Linux kernel in a virtual machine. Where that cannot be had the test is named in the closing list
 * "not judged here"; with SOLPACK_REQUIRE_TOOLS=1 it fails.
 */
export function kernelTest(name: string, work: (context: TestContext) => Promise<void> | void): void {
  test(name, async (context) => {
    const lacks = kernelLacks();
    if (lacks.length === 0) return work(context);
    const note = `needs ${lacks.join(', ')}`;
    if (process.env['SOLPACK_REQUIRE_TOOLS'] === '1') throw new Error(`not judged: ${note}; run npm run test:kernel`);
    context.skip(note);
  });
}

/** Whether this machine has all that `bootKernel` needs. */
export function kernelIsHere(): boolean {
  return kernelLacks().length === 0;
}

/**
 * Boots Linux once, lets it mount each of `images` (paths) in all ways, and gives what it read, in the order of `images`.
 * Of files too large to be hashed on an emulated processor it reads pieces, at the offsets `windows`. `folder` is an
 * empty one that it may fill. Throws, with the end of the console, where Linux did not come to its end.
 */
export async function bootKernel(
  folder: string,
  images: readonly string[],
  windows: readonly number[],
): Promise<readonly KernelTrees[]> {
  if (images.length > mostImages) throw new Error(`${images.length} images, but a machine has room for ${mostImages}`);
  const kernel = findKernel();
  if (!kernel) throw new Error('there is no kernel to boot; run npm run test:kernel');
  const drives = images.map((_, at) => `/dev/vd${String.fromCharCode('b'.charCodeAt(0) + at)}`);
  const initramfs = await makeInitramfs(join(folder, 'initramfs'), kernel, initScript(drives, windows));
  const results = join(folder, 'results.tar');
  writeFileSync(results, '');
  truncateSync(results, resultSize);
  const drive = (path: string, more: string): string[] => ['-drive', `file=${path},format=raw,if=virtio${more}`];
  await machine([
    ...['-kernel', kernel.image, '-initrd', initramfs, '-append', 'console=ttyS0 quiet panic=-1'],
    ...drive(results, ''),
    ...images.flatMap((path) => drive(path, ',readonly=on')),
  ]);
  const unpacked = join(folder, 'results');
  mkdirSync(unpacked);
  await ok('tar', ['-xf', results, '-C', unpacked]);
  return images.map((_, at) => readResults(unpacked, at));
}

/** Makes the file system that Linux starts from: busybox, the modules in the order of loading, and `init`. */
async function makeInitramfs(folder: string, kernel: Kernel, init: string): Promise<string> {
  for (const name of ['bin', 'modules', 'proc', 'dev', 'mnt', 'out']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  copyFileSync(programPath('busybox'), join(folder, 'bin/busybox'));
  for (const [at, path] of kernel.modules.entries()) {
    copyFileSync(path, join(folder, 'modules', String(at).padStart(2, '0')));
  }
  writeFileSync(join(folder, 'init'), init);
  chmodSync(join(folder, 'init'), 0o755);
  const archive = `${folder}.cpio`;
  await ok('bash', ['-c', `find . | cpio --quiet -o -H newc >'${archive}'`], { cwd: folder });
  return archive;
}

/** Runs a virtual machine to its end. Its processor is emulated: not every machine that tests run on has a real one to give. */
function machine(args: readonly string[]): Promise<void> {
  const fixed = ['-accel', 'tcg', '-m', '512', '-nodefaults', '-no-reboot', '-display', 'none', '-serial', 'stdio'];
  return new Promise((settle, reject) => {
    const child = spawn(programPath('qemu-system-x86_64'), [...fixed, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let console = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        console = (console + chunk).slice(-10_000);
      });
    }
    const stop = (): void => void child.kill('SIGKILL');
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
