import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution, solpack, succeeds } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';
import { solpackWords } from '../support/under-test.ts';

const folder = scratch('mount');
const cwd = folder;

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  await succeeds(['pack', 'hello', '-o', 'hello.iso'], { cwd });
  await succeeds(['pack', 'hello', '-o', 'hello.tar'], { cwd });
  await smallSolution(join(folder, 'other'), { version: '2.0.0' });
  await succeeds(['pack', 'other', '-o', 'other.iso'], { cwd });
  for (const name of ['here', 'full', 'no tool']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'full/file'), '');
});

const refused = async (...args: string[]): Promise<string> => (await solpack([...args, '--quiet'], { cwd })).stderr;

describe('mount', () => {
  judged(
    'shows the files of an archive, read only, until it is unmounted; each of both twice is once',
    ['fuseiso'],
    async () => {
      const mount = async (): Promise<unknown> =>
        JSON.parse(await succeeds(['mount', 'hello.iso', 'here', '--json'], { cwd }));
      const unmount = async (): Promise<unknown> => JSON.parse(await succeeds(['unmount', 'here', '--json'], { cwd }));
      const first = await mount();
      try {
        expect(jsonSchemas.mount.strict().parse(first)).toMatchObject({ already: false });
        expect(await mount()).toEqual({ ...(first as object), already: true });
        expect(readFileSync(join(folder, 'here/manifest.yaml'), 'utf8')).toContain('name: hello');
        expect(() => writeFileSync(join(folder, 'here/new'), '')).toThrow();
        expect(await refused('mount', 'other.iso', 'here')).toMatch(/is where .* is mounted; .*\[output-exists\]/);
        await succeeds(['verify', 'here'], { cwd });
      } finally {
        expect(await unmount()).toMatchObject({ already: false });
      }
      expect(await unmount()).toMatchObject({ already: true });
      expect(await ok('ls', [join(folder, 'here')])).toBe('');
    },
  );

  judged('takes one of your own links for the folder that it leads to, also to unmount it', ['fuseiso'], async () => {
    symlinkSync('here', join(folder, 'link'));
    await succeeds(['mount', 'hello.iso', 'link'], { cwd });
    try {
      expect(readFileSync(join(folder, 'here/manifest.yaml'), 'utf8')).toContain('name: hello');
    } finally {
      const { code, stderr } = await solpack(['unmount', 'link', '--quiet'], { cwd });
      if (code !== 0) await solpack(['unmount', 'here', '--quiet'], { cwd });
      expect([code, stderr]).toEqual([0, '']);
    }
    expect(await ok('ls', [join(folder, 'here')])).toBe('');
  });

  test('refuses what cannot be mounted, and says what to do', async () => {
    expect(await refused('mount', 'hello.tar', 'here')).toMatch(
      /OCI archive.*only ISO 9660.*solpack extract.*\[archive-invalid\]/,
    );
    expect(await refused('mount', 'hello.iso', 'full')).toContain('is not empty; name an empty folder [output-exists]');
    expect(await refused('mount', 'hello.iso', 'absent')).toContain('[file-missing]');
    expect(await refused('mount', 'hello.iso', 'hello.tar')).toContain('is not a folder; ');
    expect(await refused('unmount', 'absent')).toContain('[file-missing]');
    const without = await run(solpackWords[0], [...solpackWords.slice(1), 'mount', 'hello.iso', 'no tool', '-q'], {
      cwd,
      env: { PATH: folder },
    });
    expect([without.code, without.stderr]).toEqual([6, expect.stringMatching(/install fuseiso.*\[tool-missing\]/)]);
  });
});
