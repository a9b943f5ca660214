import { type TestContext, test } from 'vitest';
import { kernelLacks } from '../../scripts/judges/kernel.ts';
import { initScript } from './kernel/init.ts';
import { driveAt, runMachine } from './kernel/machine.ts';
import { type KernelTrees, readResults } from './kernel/results.ts';

/** Drives beyond these find no place on the machine's bus. */
const mostImages = 24;

/**
 * A test that needs the Linux kernel in a virtual machine. Where that cannot be had the test is named in the closing
 * list "not judged here"; with SOLPACK_REQUIRE_TOOLS=1 it fails.
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
 * Boots Linux once, lets it mount each of `images` (paths) in all ways, and gives what it read, in the order of
 * `images`. Of files too large to be hashed on an emulated processor it reads pieces, at the offsets `windows`.
 * `folder` is an empty one that it may fill. Throws, with the end of the console, where Linux did not come to its end.
 */
export async function bootKernel(
  folder: string,
  images: readonly string[],
  windows: readonly number[],
): Promise<readonly KernelTrees[]> {
  if (images.length > mostImages) throw new Error(`${images.length} images, but a machine has room for ${mostImages}`);
  const drives = images.map((_, at) => driveAt(at));
  const unpacked = await runMachine(folder, {
    init: initScript(drives, windows),
    drives: images,
    files: [],
    memory: 512,
  });
  return images.map((_, at) => readResults(unpacked, at));
}
