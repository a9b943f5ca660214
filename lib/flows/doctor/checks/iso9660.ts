import { release } from 'node:os';
import { join } from 'node:path';
import { findInstalled } from '../../../kernel/events/index.ts';
import { readFile } from '../../../kernel/files/index.ts';
import { isThere } from '../../../kernel/machine/index.ts';
import type { HealthCheck } from '../check.ts';

/** Looks who could mount an archive here: the kernel, by itself or by a module, or fuseiso. */
export const iso9660Check: HealthCheck = {
  code: 'iso9660',
  purposes: ['serve', 'install'],
  look: async ({ request: { root = '/' } }, { host }) => {
    const subject = 'iso9660';
    const known = await textOf(join(root, 'proc/filesystems'));
    if (known?.split('\n').includes('\tiso9660')) return [{ state: 'ok', subject, message: 'the kernel reads it' }];
    const modules = join(root, 'lib/modules', release());
    for (const name of ['modules.builtin', 'modules.dep']) {
      const isListed = /^\S*\/isofs\.ko/m.test((await textOf(join(modules, name))) ?? '');
      if (isListed) return [{ state: 'ok', subject, message: 'the kernel has a module for it' }];
    }
    const fuseiso = await findInstalled(host, 'fuseiso');
    if (fuseiso !== undefined && (await isThere(join(root, 'dev/fuse')))) {
      return [{ state: 'ok', subject, message: `${fuseiso} reads it` }];
    }
    const message = 'neither the kernel nor fuseiso reads it: archives can be installed and extracted, but not mounted';
    return [{ state: 'warns', subject, message, hint: 'modprobe isofs' }];
  },
};

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path).then(
    (bytes) => Buffer.from(bytes).toString(),
    () => undefined,
  );
}
