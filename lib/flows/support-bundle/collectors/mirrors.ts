import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unreadable } from '../../../kernel/events/index.ts';
import { readFile } from '../../../kernel/files/index.ts';
import { blankHosts } from '../../../parts/mirrors/index.ts';
import type { Collector } from '../collector.ts';

/** Most bytes of a `hosts.toml`. */
const LIMIT = 1024 * 1024;

/** Shows where containerd of this machine pulls from instead of registries. */
export const mirrors: Collector = {
  name: 'the mirrors of containerd',
  collect: async ({ request: { hostsDir }, bundle }) => {
    if (hostsDir === undefined) return bundle.missing('mirrors', 'no folder of containerd was named (--hosts-dir)');
    const entries = await readdir(hostsDir).catch((error) => {
      throw unreadable(hostsDir, error);
    });
    for (const host of entries.sort()) {
      const path = join(hostsDir, host, 'hosts.toml');
      try {
        await bundle.text(
          `mirrors/${host}/hosts.toml`,
          blankHosts(Buffer.from(await readFile(path, LIMIT)).toString()),
        );
      } catch (error) {
        bundle.missing(path, error instanceof Error ? error.message : String(error));
      }
    }
  },
};
