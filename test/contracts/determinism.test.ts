import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  opendirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { smallSolution, succeeds, writeFiles } from '../support/cli.ts';
import { type Judge, judged, ok, scratch } from '../support/judges.ts';
import { solpackWith, solpackWords, type Words } from '../support/under-test.ts';

const folder = scratch('determinism');
const source = join(folder, 'source');
const extensions = ['.iso', '.tar'] as const;

/** A file system in memory, whose folders tell their names in the order of making. */
const memory = '/dev/shm';

/** How a pack differs from another one of the same Solution. */
interface Circumstances {
  readonly env?: Record<string, string>;
  readonly umask?: string;
  /** What runs solpack, by default the form that is tested. */
  readonly words?: Words;
  /** Where the folder of the Solution is copied to, by default where it is. */
  readonly place?: string;
  /** Whether the copy is made in the opposite order, by other permissions that are no part of an archive. */
  readonly turned?: boolean;
}

beforeAll(async () => {
  await smallSolution(source);
  const settings = Array.from({ length: 60 }, (_, at) => [`web/${(at * 37) % 60}-é${at % 7}.yaml`, configMap(at)]);
  writeFiles(source, { ...Object.fromEntries(settings), 'motd/plugin': '#!/bin/sh\necho\n', 'motd/text': 'hello\n' });
  chmodSync(join(source, 'motd/plugin'), 0o755);
  const definition = readFileSync(join(source, 'solution.toml'), 'utf8');
  const plugin = '\n[[components]]\nname = "motd"\nkind = "plugin"\npath = "motd"\n';
  writeFiles(source, { 'solution.toml': definition + plugin });
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  expected = await pack({});
});

let expected: readonly Buffer[];

const configMap = (at: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings-${at}\ndata: {at: "${at}"}\n`;

let packs = 0;

/** The archives that solpack makes of a copy of the Solution and signs by ECDSA, one of each format. */
async function pack({ env = {}, umask = '022', words = solpackWords, place = folder, turned = false }: Circumstances) {
  const work = join(place, `pack-${packs++}`);
  mkdirSync(work);
  copyTree(source, join(work, 'src'), turned);
  const archives: Buffer[] = [];
  for (const extension of extensions) {
    const args = [...words, 'pack', 'src', '-q', '-o', `a${extension}`, '--sign', join(folder, 'k.key')];
    await ok('bash', ['-c', `umask ${umask}; exec "$@"`, 'bash', ...args], { cwd: work, env });
    archives.push(readFileSync(join(work, `a${extension}`)));
  }
  return archives;
}

function copyTree(from: string, to: string, turned: boolean): void {
  mkdirSync(to, { mode: turned ? 0o700 : 0o755 });
  const names = readdirSync(from).sort();
  for (const name of turned ? names.reverse() : names) {
    const [old, fresh] = [join(from, name), join(to, name)];
    const stats = statSync(old);
    if (stats.isDirectory()) copyTree(old, fresh, turned);
    else {
      copyFileSync(old, fresh);
      chmodSync(fresh, turned ? stats.mode & 0o700 : stats.mode & 0o777);
    }
  }
}

/** A folder of this file's own in memory. */
function inMemory(): string {
  const place = mkdtempSync(join(memory, 'solpack-determinism-'));
  places.push(place);
  return place;
}
const places: string[] = [];
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

describe('packing and signing a Solution gives the same bytes', () => {
  const cases: [string, Circumstances, needed?: readonly Judge[]][] = [
    ['a second time', {}],
    ['where its files were made in the opposite order', { turned: true }],
    ['in another time zone', { env: { TZ: 'Pacific/Kiritimati' } }],
    ['in a locale that sorts and folds otherwise', { env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' } }],
    ['in a locale that knows ASCII only', { env: { LC_ALL: 'C', LANG: 'C' } }],
    ['where nobody else may read what is written', { umask: '077' }],
    ['where everybody may write what is written', { umask: '000' }],
    ['with one thread for files and hashes', { env: { UV_THREADPOOL_SIZE: '1' } }],
    ['with many threads', { env: { UV_THREADPOOL_SIZE: '32' } }],
    ['on the oldest Node.js', { words: ['node-oldest', solpackWith()[1]!] }, ['node-oldest']],
  ];
  for (const [name, circumstances, needed = []] of cases) {
    judged(name, ['bash', ...needed], async () => same(await pack(circumstances)));
  }

  // Systems other than Linux have none.
  if (existsSync(memory))
    test('on a file system in memory, whatever else differs', async () => {
      const one = { place: inMemory() };
      const env = { TZ: 'Asia/Kathmandu', LC_ALL: 'C', UV_THREADPOOL_SIZE: '3' };
      const other = { place: inMemory(), turned: true, umask: '077', env };
      for (const circumstances of [one, other]) same(await pack(circumstances));
      // The two copies really tell their names in different orders.
      const [first, second] = [one, other].map(({ place }) =>
        namesAsMade(join(place, readdirSync(place)[0]!, 'src/web')),
      );
      expect(first).not.toEqual(second);
      expect([...first!].sort()).toEqual([...second!].sort());
    });
});

function same(archives: readonly Buffer[]): void {
  for (const [at, extension] of extensions.entries()) {
    expect(archives[at]!.equals(expected[at]!), `the ${extension} archive is the same`).toBe(true);
  }
}

/** The names in a folder as the file system tells them; `readdir` sorts them. */
function namesAsMade(path: string): string[] {
  const names: string[] = [];
  const open = opendirSync(path);
  for (let entry = open.readSync(); entry; entry = open.readSync()) names.push(entry.name);
  open.closeSync();
  return names;
}
