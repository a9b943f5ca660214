import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { smallSolution, solpack, succeeds } from '../support/cli.ts';
import { type Outcome, run, scratch } from '../support/judges.ts';
import { solpackWords } from '../support/under-test.ts';

const folder = scratch('lock-elsewhere');
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  await smallSolution(at('home'));
  mkdirSync(at('broken'));
  const definition =
    'name = "s"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "manifests"\npath = "absent"\n';
  writeFileSync(at('broken/solution.toml'), definition);
});

/** Runs solpack in a mount namespace of its own, in which a folder is on a file system that is read only. */
async function onReadOnly(name: string, context: TestContext, ...words: readonly string[]): Promise<Outcome> {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) context.skip('needs mount namespaces');
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  return run('unshare', ['-rm', 'sh', '-c', script, at(name), ...solpackWords, ...words], { cwd: folder });
}

describe('the lock of a definition on a medium that is read only', () => {
  test('cannot be written, which pack says before it looks at any component', async (context) => {
    const { code, stderr } = await onReadOnly('broken', context, 'pack', 'broken', '-o', 'broken.iso');
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(
        /broken\/solution\.lock: the lock cannot be written there: .*; name another place for it: --lock FILE/,
      ),
    ]);
    expect(stderr).not.toContain('collect');
  });

  test('is where --lock says, for pack and for check, and the archive is the same', async (context) => {
    const { code, stderr } = await onReadOnly(
      'home',
      context,
      'pack',
      'home',
      '-o',
      'here.iso',
      '--lock',
      'other.lock',
    );
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect([existsSync(at('home/solution.lock')), readdirSync(at('home')).includes('.solpack')]).toEqual([
      false,
      false,
    ]);
    await succeeds(['pack', 'home', '-o', 'again.iso', '--lock', 'other.lock', '--locked'], { cwd: folder });
    await succeeds(['check', 'home', '--lock', 'other.lock', '--locked'], { cwd: folder });
    expect(await solpack(['check', 'home', '--locked'], { cwd: folder })).toMatchObject({ code: 2 });
    await succeeds(['pack', 'home', '-o', 'beside.iso'], { cwd: folder });
    const [here, again, beside] = ['here.iso', 'again.iso', 'beside.iso'].map((name) => readFileSync(at(name)));
    expect([again!.equals(here!), beside!.equals(here!)]).toEqual([true, true]);
    expect(readFileSync(at('home/solution.lock'), 'utf8')).toBe(readFileSync(at('other.lock'), 'utf8'));
  });

  test('is no hindrance where it is there and stays as it is, and one before the archive is written where it does not', async (context) => {
    expect(await onReadOnly('home', context, 'pack', 'home', '-o', 'same.iso')).toMatchObject({ code: 0 });
    writeFileSync(at('home/solution.toml'), readFileSync(at('home/solution.toml'), 'utf8').replace('1.0.0', '1.0.1'));
    const { code, stderr } = await onReadOnly('home', context, 'pack', 'home', '-o', 'other.iso');
    expect([code, stderr]).toEqual([6, expect.stringContaining('--lock FILE')]);
    expect(readdirSync(folder).filter((name) => name.startsWith('other.iso'))).toEqual([]);
  });
});
