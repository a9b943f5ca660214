import { cpSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeFiles } from '../../../support/cli.ts';
import { run, scratch } from '../../../support/judges.ts';
import { sampled } from '../../../support/sample.ts';

const folder = scratch('setup-killed');
const at = (...names: string[]): string => join(folder, ...names);
const support = join(import.meta.dirname, '../../../support/killed');

type Tree = Readonly<Record<string, string>>;
let [before, after]: Tree[] = [];
let moments: readonly number[];

/** All that is below a folder, with its texts. */
function treeOf(root: string): Tree {
  const all = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    all.map((one) => {
      const path = join(one.parentPath, one.name);
      const text = one.isSymbolicLink()
        ? `-> ${readlinkSync(path)}`
        : one.isDirectory()
          ? 'folder'
          : readFileSync(path, 'utf8').replaceAll(root, '');
      return [path.slice(root.length), text];
    }),
  );
}

/** A machine whose profile lies elsewhere, and says something already. */
function machine(name: string): string {
  rmSync(at(name), { recursive: true, force: true });
  writeFiles(at(name), {
    'stick/solpack': 'program',
    'bin/.keep': '',
    'var/lib/.keep': '',
    'srv/.keep': '',
    'etc/own.toml': '# ours\nkubeconfig = "/root/own.conf" # mine\n\n[install]\ntimeout = "10m"\n',
    'etc/solpack/.keep': '',
  });
  symlinkSync('../own.toml', at(name, 'etc/solpack/profile.toml'));
  return at(name);
}

async function setUp(root: string, what: 'do' | 'undo', kill = 0): Promise<number> {
  const words = ['--import', join(support, 'kill-at-write.ts'), join(support, 'set-up.ts'), root, what];
  const { code, stderr } = await run(process.execPath, words, { env: { SOLPACK_TEST_KILL_WRITE: String(kill) } });
  if (code === 1) throw new Error(stderr);
  return code;
}

async function undisturbed(): Promise<number> {
  const root = machine('whole');
  before = treeOf(root);
  expect(await setUp(root, 'do')).toBe(0);
  after = treeOf(root);
  await setUp(root, 'undo');
  expect(treeOf(root)).toEqual(before);
  return 0;
}

beforeAll(async () => {
  await undisturbed();
  // Names are changed some thirty times, and each change has a moment before it and one after it.
  moments = sampled(
    Array.from({ length: 64 }, (_, one) => one + 1),
    3,
  );
});

test('a setup that is killed anywhere is completed by the next one, and taken back as if it had not been killed', async () => {
  for (const moment of moments) {
    const root = machine('killed');
    const code = await setUp(root, 'do', moment);
    if (code !== 0) cpSync(root, at('again'), { recursive: true, verbatimSymlinks: true });
    await setUp(root, 'undo');
    expect([moment, treeOf(root)]).toEqual([moment, before]);
    if (!existsSync(at('again'))) continue;
    rmSync(root, { recursive: true });
    cpSync(at('again'), root, { recursive: true, verbatimSymlinks: true });
    rmSync(at('again'), { recursive: true });
    await setUp(root, 'do');
    expect([moment, treeOf(root)]).toEqual([moment, after]);
    expect(await setUp(root, 'undo', moment)).toBeGreaterThanOrEqual(0);
    await setUp(root, 'undo');
    expect([moment, treeOf(root)]).toEqual([moment, before]);
  }
});
