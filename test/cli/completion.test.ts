import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, succeeds, writeFiles } from '../support/cli.ts';
import { judged, run, scratch } from '../support/judges.ts';
import { type ShellTerminal, shellTerminal, type TypedShell } from '../support/shell-terminal.ts';
import { archive, entry } from '../support/tar.ts';

// What a person sees who presses Tab, in the real shells on a terminal that tmux emulates.

const folder = scratch('completion');
const cwd = join(folder, 'work');
const hostile = 'it\'s $(touch hacked) `touch hacked`; touch hacked "q" a:b=c';
const unseen = ['esc\u001b[2Jred', 'new\nline', 'bidi\u202egnp'];

beforeAll(async () => {
  mkdirSync(cwd);
  await smallSolution(join(folder, 'hello'));
  await succeeds(['pack', join(folder, 'hello'), '-o', join(cwd, 'hello.iso')]);
  const names = ['manifest.yaml', 'two words/plain.yaml', `odd/${hostile}`, ...unseen.map((name) => `odd/${name}`)];
  writeFiles(cwd, {
    'any.tar': archive(...names.map((path) => entry(path, { body: 'x' }))),
    'release.pub': '',
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions:
  - name: hello
    archives: [hello.iso]
    environments: {team-a: 1.0.0}
`,
  });
  execFileSync('mkfifo', [join(cwd, 'pipe.iso')]);
});

/** Types a line from its beginning, presses Tab, and returns the line that the shell has made of it. */
async function completed(at: ShellTerminal, typed: string, whole: string): Promise<void> {
  await at.press('C-u');
  await at.press('C-l');
  await at.shows((screen) => screen === '>');
  await at.type(typed);
  await at.shows((screen) => screen.endsWith(typed.trimEnd()));
  await at.press('Tab');
  const isWhole = (screen: string): boolean => screen.split('\n')[0]?.trimEnd() === `> ${whole}`;
  // Where a machine is so busy that names come too late, a person presses Tab once more.
  await at.shows(isWhole, 10_000).catch(() => at.press('Tab'));
  await at.shows(isWhole);
}

const lines: [string, string][] = [
  ['solpack unim', 'solpack unimport'],
  ['solpack help unim', 'solpack help unimport'],
  ['solpack help --all unim', 'solpack help --all unimport'],
  ['solpack help opt', 'solpack help options'],
  ['solpack install --help=', 'solpack install --help=all'],
  ['solpack explain registry-d', 'solpack explain registry-denied'],
  ['solpack pack --form', 'solpack pack --format'],
  ['solpack pack --format i', 'solpack pack --format iso'],
  ['solpack keygen --type=ed', 'solpack keygen --type=ed25519'],
  ['solpack verify hello.iso --key rel', 'solpack verify hello.iso --key release.pub'],
  ['solpack verify hello.iso --key=rel', 'solpack verify hello.iso --key=release.pub'],
  ['solpack ls hel', 'solpack ls hello.iso'],
  ['solpack ls hello.iso components/web/p', 'solpack ls hello.iso components/web/pod.yaml'],
  ['solpack ls hello.iso "components/b', 'solpack ls hello.iso "components/base/'],
  ['solpack inspect hello.iso --sbom registry.e', 'solpack inspect hello.iso --sbom registry.example.com/hello/'],
  [
    'solpack inspect hello.iso --sbom registry.example.com/hello/web:',
    'solpack inspect hello.iso --sbom registry.example.com/hello/web:1.0.0',
  ],
  ['solpack render hello.iso --values w', 'solpack render hello.iso --values web='],
  ['solpack install -f solutions.yaml --values w', 'solpack install -f solutions.yaml --values web='],
  ['solpack activate -f solutions.yaml h', 'solpack activate -f solutions.yaml hello'],
  ['solpack activate -f solutions.yaml hello 1', 'solpack activate -f solutions.yaml hello 1.0.0'],
  [
    'solpack deactivate hello -f solutions.yaml --environment t',
    'solpack deactivate hello -f solutions.yaml --environment team-a',
  ],
  ['solpack uninstall h', 'solpack uninstall hello'],
];

describe.each<TypedShell>(['bash', 'zsh', 'fish'])('in %s', (shell) => {
  judged(
    'Tab completes commands, flags, their values, files, and names inside of archives and configurations',
    [shell, 'tmux'],
    async () => {
      await using at = await shellTerminal(shell, join(folder, `${shell}-lines`), cwd);
      for (const [typed, whole] of lines) {
        // bash ends the quote of a word that it has completed.
        const closed = shell === 'bash' && /"[^"]*$/.test(whole) ? `${whole}"` : whole;
        await completed(at, typed, closed);
      }
    },
  );

  judged(
    'names that a shell or a terminal would obey are typed as what they are, or not offered',
    [shell, 'tmux'],
    async () => {
      await using at = await shellTerminal(shell, join(folder, `${shell}-names`), cwd);
      await completed(at, 'solpack ls any.tar two', 'solpack ls any.tar two\\ words/');
      await at.press('Tab');
      await at.shows((screen) => screen.startsWith('> solpack ls any.tar two\\ words/plain.yaml'));
      const out = `out-${shell}`;
      await completed(at, `solpack extract -qC ${out} any.tar od`, `solpack extract -qC ${out} any.tar odd/`);
      // All other names of that folder would move the cursor, end the line, or hide what they are.
      await at.press('Tab');
      await at.shows((screen) => screen.includes('touch') && screen.includes('a:b'));
      await at.press('Enter');
      await at.shows((screen) => screen.includes('extracted 1 file'));
      expect(readdirSync(join(cwd, out, 'odd'))).toEqual([hostile]);
      expect(existsSync(join(cwd, 'hacked'))).toBe(false);
    },
  );

  judged(
    'a pipe, a device and what is not an archive are not waited for, and say nothing',
    [shell, 'tmux'],
    async () => {
      await using at = await shellTerminal(shell, join(folder, `${shell}-silent`), cwd);
      for (const name of ['pipe.iso', '/dev/zero', 'release.pub', 'https://127.0.0.1:9/a.iso', 'gone.iso']) {
        const line = `solpack ls ${name} c`;
        await completed(at, line, line);
        await at.type('x');
        expect(await at.shows((screen) => screen.endsWith('x'))).toBe(`> ${line}x`);
      }
    },
  );
});

judged(
  'the scripts are those that "completion --json" has, and the shells find no fault in them',
  ['bash', 'zsh', 'fish'],
  async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = await succeeds(['completion', shell]);
      expect(JSON.parse(await succeeds(['completion', shell, '--json']))).toEqual({
        schemaVersion: 1,
        shell,
        script: script.trimEnd(),
      });
      writeFiles(folder, { [`script.${shell}`]: script });
      expect(await run(shell, ['-n', join(folder, `script.${shell}`)])).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect(readFileSync(join(folder, 'script.bash'), 'utf8')).toContain('complete ');
  },
);
