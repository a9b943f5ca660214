import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallSolution, solpack, succeeds } from '../support/cli.ts';
import { ok, scratch } from '../support/judges.ts';

const folder = scratch('apart');
const at = (name: string): string => join(folder, name);
const run = (...args: string[]): ReturnType<typeof solpack> => solpack([...args, '--quiet'], { cwd: folder });

beforeAll(async () => {
  await smallSolution(at('hello'));
  await succeeds(['pack', 'hello', '-o', 'hello.iso'], { cwd: folder });
  await succeeds(['keygen', '-o', 'release'], { cwd: folder });
});

describe('a file that a command writes', () => {
  test.each([
    ['delta', 'other.iso', 'given.iso', '-o', 'given.iso'],
    ['delta', 'given.iso', 'other.iso', '-o', 'given.iso'],
    ['merge', 'other.iso', 'given.iso', '-o', 'given.iso'],
    ['inspect', 'given.iso', '--html', 'given.iso'],
    ['diff', 'other.iso', 'given.iso', '--html', 'given.iso'],
    ['export', 'given.iso', '-o', 'linked.iso'],
    ['export', 'given.iso', '-o', 'second.iso'],
    ['verify', 'given.iso', '--log-file', 'given.iso'],
  ])('is none that it reads, by whatever name: %s %s %s %s', async (...args) => {
    for (const name of ['given.iso', 'other.iso']) copyFileSync(at('hello.iso'), at(name));
    if (args.includes('linked.iso')) symlinkSync('given.iso', at('linked.iso'));
    if (args.includes('second.iso')) linkSync(at('given.iso'), at('second.iso'));
    const { code, stderr } = await run(...args);
    expect(stderr).toMatch(/is a file that this command reads; name another file to write \[usage-invalid\]\n$/);
    expect(code).toBe(2);
    expect(readFileSync(at('given.iso')).equals(readFileSync(at('hello.iso')))).toBe(true);
  });

  test('is no key, if it is to be a page or a log', async () => {
    const before = readFileSync(at('release.pub'));
    const page = await run('inspect', 'hello.iso', '--html', 'release.pub');
    expect([page.code, page.stderr]).toEqual([
      2,
      expect.stringMatching(/release\.pub: is not a page.*\[output-exists\]/),
    ]);
    const log = await run('inspect', 'hello.iso', '--log-file', 'release.pub');
    expect([log.code, log.stderr]).toEqual([
      6,
      expect.stringMatching(/is not a log of solpack.*\[output-unwritable\]/),
    ]);
    expect(readFileSync(at('release.pub')).equals(before)).toBe(true);
    writeFileSync(at('page.html'), '');
    for (let round = 0; round < 2; round += 1)
      expect((await run('inspect', 'hello.iso', '--html', 'page.html')).code).toBe(0);
  });

  test('replaces no pipe', async () => {
    await ok('mkfifo', [at('pipe')]);
    for (const args of [
      ['inspect', 'hello.iso', '--html'],
      ['export', 'hello.iso', '-o'],
    ]) {
      const { code, stderr } = await run(...args, 'pipe');
      expect([code, stderr]).toEqual([
        6,
        expect.stringMatching(/pipe: is a pipe, which a file would replace.*\[output-unwritable\]/),
      ]);
    }
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
  });

  test.each([
    ['pack', 'hello', '-o', 'new.iso', '--lock', 'new.iso'],
    ['pack', 'hello', '-o', 'new.iso', '--log-file', './new.iso'],
    ['pack', 'hello', '-o', 'hello.iso', '--lock', 'alias.iso'],
  ])('is none that another option names: %j', async (...args) => {
    if (args.includes('alias.iso')) symlinkSync('hello.iso', at('alias.iso'));
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is the file that --\w+ names; .*\[usage-invalid\]\n$/)]);
  });

  test('can be written, or nothing is fetched or rendered for it', async () => {
    mkdirSync(at('folder.iso'));
    for (const output of ['absent/x.iso', 'folder.iso']) {
      const { code, stderr } = await solpack(['pack', 'hello', '-o', output], { cwd: folder });
      expect([code, stderr]).toEqual([6, expect.stringMatching(/^solpack: .*\[output-unwritable\]\n$/)]);
      expect((await run('merge', 'hello.iso', 'hello.iso', '-o', output)).code).toBe(6);
    }
    expect(existsSync(at('absent'))).toBe(false);
  });

  test('has a name', async () => {
    expect(await run('pack', '', '-o', 'x.iso')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the name of a definition: is empty/),
    });

    expect(await run('keygen', '-o', '')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--output: is empty/),
    });
    expect(await run('profile', 'set', 'kubeconfig', '', '--profile', 'p.toml')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/kubeconfig: is empty/),
    });
  });
});
