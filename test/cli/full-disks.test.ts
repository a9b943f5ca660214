import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, type TestContext, test } from 'vitest';
import { find, run, scratch } from '../support/judges.ts';
import { packShop } from '../support/killed/shop.ts';
import { dockerRegistry } from '../support/registry.ts';
import { isExhaustive, sampled } from '../support/sample.ts';
import { solpackWords } from '../support/under-test.ts';

// An install that writes to a disk which is full from some file or byte on, and the same install once there is room.

const folder = scratch('full-disks');
const disk = join(folder, 'disk');
const registry = dockerRegistry(folder);

beforeAll(async () => {
  mkdirSync(disk);
  await packShop(folder);
});

/**
 * Runs a command twice in a mount namespace of its own, in which `disk` is small the first time; lists what is there
 * after each.
 */
const twice = `mount -t tmpfs -o "$1" tmpfs "$0" && shift
"$@"; echo "first $?"; (cd "$0" && find . ! -type d -exec cksum {} +) | sort
mount -o remount,size=64m,nr_inodes=10000 "$0"
"$@"; echo "again $?"; (cd "$0" && find . ! -type d -exec cksum {} +) | sort`;

interface Told {
  readonly code: number;
  /** Each with its checksum. */
  readonly files: readonly string[];
}

/** Runs an install that writes to the disk with these mount options, and then with room. */
async function installing(options: string): Promise<{ first: Told; again: Told; stderr: string }> {
  const places = ['--trust-state', join(disk, 'state'), '--render', join(disk, 'rendered')];
  const more = ['--registry', (await registry()).url, '--hosts-dir', join(disk, 'certs.d'), '--progress', 'none'];
  const words = [...solpackWords, 'install', '-f', 'edge-1.0.0.yaml', '--key', 'k.pub', ...places, ...more];
  const { stdout, stderr } = await run('unshare', ['-rm', 'sh', '-c', twice, disk, options, ...words], { cwd: folder });
  const told = (name: string): Told => {
    const lines = stdout.split('\n').filter((line) => /^(first|again) |^[0-9]+ [0-9]+ \.\//.test(line));
    const at = lines.findIndex((line) => line.startsWith(name));
    const end = lines.findIndex((line, index) => index > at && line.startsWith('again'));
    const files = lines.slice(at + 1, end < 0 ? undefined : end);
    return { code: Number(lines[at]?.split(' ')[1]), files };
  };
  return { first: told('first'), again: told('again'), stderr };
}

test(
  'an install whose disk is full says so in one line, leaves no half of a file, and is completed once there is room',
  async (context: TestContext) => {
    const namespaces = spawnSync('unshare', ['-rm', 'true']).status === 0;
    const lacks = [
      ...(namespaces ? [] : ['mount namespaces']),
      ...(find('docker-registry') ? [] : ['docker-registry']),
    ];
    if (lacks.length > 0 && process.env['SOLPACK_REQUIRE_TOOLS'] !== '1')
      return context.skip(`needs ${lacks.join(', ')}`);
    const whole = await installing('size=64m');
    expect([whole.first.code, whole.first.files.length > 2]).toEqual([0, true]);
    expect(whole.again).toEqual(whole.first);
    // A file or a folder each takes one of them, and so do temporary files.
    const files = Array.from({ length: 28 }, (_, index) => `size=64m,nr_inodes=${index + 1}`);
    const bytes = Array.from({ length: 14 }, (_, index) => `size=${4 * (index + 1)}k`);
    let full = 0;
    for (const options of new Set([files[2]!, ...sampled(files, 4), ...sampled(bytes, 3)])) {
      const { first, again, stderr } = await installing(options);
      if (first.code !== 0) {
        full += 1;
        const failures = stderr.split('\n').filter((line) => line.startsWith('solpack: '));
        expect([options, failures]).toEqual([
          options,
          expect.arrayContaining([expect.stringMatching(/\[disk-full\]$/)]),
        ]);
        expect([options, stderr]).toEqual([options, expect.not.stringMatching(/\n +at |\[bug\]/)]);
      }
      const odd = first.files.filter((file) => !whole.first.files.includes(file));
      expect([options, odd]).toEqual([options, []]);
      expect([options, again]).toEqual([options, whole.first]);
    }
    expect(full).toBeGreaterThanOrEqual(isExhaustive ? 3 : 1);
  },
  isExhaustive ? 600_000 : 180_000,
);
