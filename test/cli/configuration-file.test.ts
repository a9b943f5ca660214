import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { solpack } from '../support/cli.ts';
import { both, configurationIn, does, file, head, places, refusal, two } from '../support/configurations.ts';
import { solpackHere } from '../support/here.ts';
import { giveAway, neighbourTest } from '../support/neighbour.ts';
import { solpackWords } from '../support/under-test.ts';

const { archives, packed, place } = places('configuration-file');

describe('the file', () => {
  test('keeps its mode, and a link to it stays one', async () => {
    const cwd = place(two, ...both, 'other-1.0.0.iso');
    mkdirSync(join(cwd, 'real'));
    writeFileSync(join(cwd, 'real/it.yaml'), head + two);
    chmodSync(join(cwd, 'real/it.yaml'), 0o606);
    rmSync(join(cwd, 'solutions.yaml'));
    symlinkSync('real/it.yaml', join(cwd, 'solutions.yaml'));
    await does(cwd, 'import', 'other-1.0.0.iso');
    expect(lstatSync(join(cwd, 'solutions.yaml')).isSymbolicLink()).toBe(true);
    expect(statSync(join(cwd, 'real/it.yaml')).mode & 0o777).toBe(0o606);
    // Paths are relative to the file that was named, as an install reads them.
    expect(configurationIn(cwd)).toContain('- other-1.0.0.iso');
    expect(readdirSync(join(cwd, 'real'))).toEqual(['it.yaml']);
  });

  test('is made where a link leads that leads to nothing yet', async () => {
    const cwd = place(undefined, both[0]!);
    symlinkSync('it.yaml', join(cwd, 'solutions.yaml'));
    expect(await does(cwd, 'import', both[0]!)).toMatchObject({ created: true });
    expect(readFileSync(join(cwd, 'it.yaml'), 'utf8')).toContain(both[0]);
    rmSync(join(cwd, 'solutions.yaml'));
    symlinkSync('solutions.yaml', join(cwd, 'solutions.yaml'));
    const { code, stderr } = await solpackHere(['import', both[0]!, ...file, '--quiet'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('too many symbolic links')]);
  });

  test('is named where it cannot be written', async () => {
    const cwd = place(undefined, both[0]);
    const { code, stderr } = await solpackHere(['import', both[0], '-f', 'absent/solutions.yaml', '--quiet'], { cwd });
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining(`${join(cwd, 'absent/solutions.yaml')}: no such file or folder; `),
    ]);
    expect(stderr).toContain('[output-unwritable]');
  });

  neighbourTest('keeps its owner, also where root edits it', async () => {
    const cwd = place(two, ...both);
    const path = join(cwd, 'solutions.yaml');
    giveAway(path);
    chmodSync(path, 0o640);
    await does(cwd, 'activate', 'guestbook', '1.0.0');
    const { uid, gid, mode } = statSync(path);
    expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_534, 0o640]);
  });

  test('loses no edit of many editors at once', async () => {
    const cwd = place(two, ...both);
    const names = Array.from({ length: 4 }, (_, at) => `a${at}`);
    await Promise.all(
      names.map(async (name) => {
        await packed(name, '1.0.0');
        linkSync(join(archives, `${name}-1.0.0.iso`), join(cwd, `${name}.iso`));
      }),
    );
    const outcomes = await Promise.all([
      ...names.map((name) => solpack(['import', `${name}.iso`, ...file, '--quiet'], { cwd })),
      solpack(['activate', 'guestbook', '1.0.0', ...file, '--quiet'], { cwd }),
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const text = configurationIn(cwd);
    for (const name of names) expect(text).toContain(`- ${name}.iso\n`);
    expect(text).toContain('activeVersion: "1.0.0"');
    expect(readdirSync(cwd).filter((name) => name.startsWith('.') || name.endsWith('.partial'))).toEqual([]);
  });

  test('keeps what somebody else writes between the look and the edit', async () => {
    const cwd = place(two, ...both);
    const path = join(cwd, 'solutions.yaml');
    let times = 0;
    const { code, stderr } = await solpackHere(['activate', 'guestbook', '1.0.0', ...file, '--quiet'], {
      cwd,
      onText: (text) => {
        if (!text.includes('is a downgrade')) return;
        times += 1;
        writeFileSync(path, `${readFileSync(path, 'utf8')}# somebody was here\n`);
      },
    });
    expect([code, times, stderr.match(/is a downgrade/g)]).toEqual([0, 1, ['is a downgrade']]);
    expect(configurationIn(cwd)).toBe(
      `${two.replace('    archives', '    activeVersion: "1.0.0"\n    archives')}# somebody was here\n`,
    );
  });

  test('is refused where it is no SolutionsConfiguration, by every command', async () => {
    const commands = [
      ['import', both[0]],
      ['unimport', both[0]],
      ['activate', 'guestbook'],
      ['deactivate', 'guestbook'],
    ];
    const cwd = place(undefined, ...both);
    for (const [text, said] of [
      [
        head.replace('SolutionsConfiguration', 'SolutionConfig'),
        'kind: has to be SolutionsConfiguration, but is "SolutionConfig"',
      ],
      [head.replace('v1alpha1', 'v2'), 'apiVersion: has to be one of'],
      ['archives: []\n', 'apiVersion: is missing: it has to be one of'],
      ['', 'has to be a mapping, but is empty'],
      [`${head}archives: [`, 'solutions.yaml:3:12: '],
      [`${head}archives: []\nactive: {guestbook: none}\n`, 'active.guestbook: has to be "latest" or a SemVer version'],
    ] as const) {
      writeFileSync(join(cwd, 'solutions.yaml'), text);
      for (const args of commands) {
        const words = await refusal(cwd, ...args);
        expect(words).toContain(said);
        expect(words).toContain('[configuration-invalid]');
      }
    }
  });

  test('is whole after an import that was killed, which a second one brings to its end', async () => {
    const cwd = place(two, ...both, 'other-1.0.0.iso');
    const path = join(cwd, 'solutions.yaml');
    const [program, ...words] = solpackWords;
    const args = [...words, 'import', 'other-1.0.0.iso', ...file, '--progress', 'lines'];
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    await once(child.stderr, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect([head + two, `${head + two}  - name: other\n    archives:\n      - other-1.0.0.iso\n`]).toContain(
      readFileSync(path, 'utf8'),
    );
    // What one leaves that is killed while it writes.
    writeFileSync(`${path}.partial`, 'half of', { mode: 0o600 });
    await does(cwd, 'import', 'other-1.0.0.iso');
    expect(configurationIn(cwd)).toBe(`${two}  - name: other\n    archives:\n      - other-1.0.0.iso\n`);
  });

  test('that cannot be edited in place is left to a person', async () => {
    const cwd = place('metadata: {annotations: {x: &a [guestbook-1.0.0.iso]}}\narchives: *a\n', ...both);
    const words = await refusal(cwd, 'import', both[1]!);
    expect(words).toContain('change it by hand');
    expect(words).toContain('[configuration-invalid]');
  });
});
