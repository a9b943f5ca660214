import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildCommand } from '../../scripts/node/build.ts';
import { cgroupMounts } from '../../scripts/node/cgroups.ts';
import { isStatic } from '../../scripts/node/elf.ts';
import { afterName } from '../../scripts/node/identity.ts';
import { layerTar } from '../../scripts/node/layer.ts';
import { builtFolder, kubernetesRelease } from '../../scripts/node/release.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('node-parts');

/** The head of an ELF program with program headers of these types (elf(5)). */
function elf(types: readonly number[]): Buffer {
  const bytes = Buffer.alloc(64 + 56 * types.length);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(types.length, 56);
  for (const [index, type] of types.entries()) bytes.writeUInt32LE(type, 64 + 56 * index);
  return bytes;
}

describe("Kubernetes' programs", () => {
  test('are of the release that go.mod names, and say so', () => {
    const command = buildCommand('/somewhere');
    expect(kubernetesRelease()).toMatch(/^v1\.\d+\.\d+$/);
    expect(command.find((word) => word.startsWith('-ldflags'))).toContain(
      `-X k8s.io/component-base/version.gitVersion=${kubernetesRelease()} `,
    );
    expect(command.slice(-3)).toEqual(['-o', '/somewhere/', 'tool']);
  });

  test('are kept by release and architecture where XDG_CACHE_HOME says, unless it says a relative path', () => {
    const name = expect.stringMatching(/^\/caches\/solpack\/kubernetes\/v1\.\d+\.\d+-linux-[a-z0-9]+$/);
    expect(builtFolder({ XDG_CACHE_HOME: '/caches' })).toEqual(name);
    for (const env of [{}, { XDG_CACHE_HOME: '' }, { XDG_CACHE_HOME: 'caches' }]) {
      expect(builtFolder(env).startsWith(join(homedir(), '.cache/solpack/'))).toBe(true);
    }
  });
});

describe('what a node reads of its machine', () => {
  test('cgroup hierarchies of both versions, also at a path with a blank', () => {
    const mounts = [
      'proc /proc proc rw 0 0',
      'cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0',
      'cgroup2 /sys/fs/cgroup\\040two cgroup2 rw 0 0',
      'tmpfs /sys/fs/cgroup tmpfs rw 0 0',
      '',
    ].join('\n');
    expect(cgroupMounts(mounts)).toEqual(['/sys/fs/cgroup/memory', '/sys/fs/cgroup two']);
    expect(cgroupMounts('')).toEqual([]);
  });

  test('the fields of a process whose name looks like fields', () => {
    expect(afterName('7 (a) S 1 (b)) R 42 5')).toEqual(['R', '42', '5']);
  });

  test.each([
    ['a program without an interpreter', elf([1, 6]), true],
    ['a program with one', elf([1, 3]), false],
    ['a program cut off in its program headers', elf([1, 6]).subarray(0, 100), false],
    ['a program cut off before them', elf([1]).subarray(0, 64), false],
    ['a program cut off in its head', elf([1]).subarray(0, 20), false],
    ['a script', Buffer.from('#!/bin/sh\n'.padEnd(80)), false],
    ['nothing', Buffer.alloc(0), false],
  ])('whether %s needs libraries', (_, bytes, expected) => {
    expect(isStatic(bytes)).toBe(expected);
  });
});

describe('a layer', () => {
  judged('holds files, links and the folders above them, as tar reads them', ['tar'], async () => {
    const entries = [
      { path: 'bin/tool', bytes: Buffer.from('tool'), mode: 0o755 },
      { path: 'bin/link', link: 'tool' },
      { path: 'tmp', mode: 0o1777 },
    ];
    const listed = await ok('tar', ['-tvf', '-'], { input: layerTar(entries), cwd: folder });
    expect(listed.split('\n').map((line) => line.replace(/ +\S+ +\d+ \S+ \S+ /, ' '))).toEqual([
      'drwxr-xr-x bin/',
      '-rwxr-xr-x bin/tool',
      'lrwxrwxrwx bin/link -> tool',
      'drwxrwxrwt tmp/',
      '',
    ]);
  });

  test('refuses a path that no ustar header holds', () => {
    expect(() => layerTar([{ path: `${'x'.repeat(300)}`, bytes: Buffer.from('') }])).toThrow('does not fit');
  });
});
