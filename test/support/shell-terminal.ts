import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { find, toolFolder } from './judges.ts';

/** The shells in which people type. */
export type TypedShell = 'bash' | 'zsh' | 'fish';

/** A shell on a terminal, at which somebody types. */
export interface ShellTerminal extends AsyncDisposable {
  /** Types text, letter by letter, as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by their names, such as `Tab`, `Enter` or `C-u`. */
  press(...keys: string[]): Promise<void>;
  /** Makes the window another size. */
  resize(columns: number, lines: number): Promise<void>;
  /** What the terminal shows, without blank lines at its end. */
  screen(): Promise<string>;
  /**
   * Waits until the terminal shows what `is` wants and stands still, and returns what it shows. Throws with what it
   * shows instead.
   */
  shows(is: (screen: string) => boolean, patience?: number): Promise<string>;
}

const bin = join(import.meta.dirname, '../../cli/bin.js');
const execute = promisify(execFile);
/** How long a terminal may take to show something, in milliseconds. */
const PATIENCE = 30_000;
const PAUSE = 120;

/** How each shell is reported its prompt and reads completions, as a user's own file does. */
const startFiles: Record<TypedShell, { name: string; text: string; start: (folder: string) => string[] }> = {
  bash: {
    name: 'bashrc',
    text: "PS1='> '\nbind 'set bell-style none'\nsource <(solpack completion bash)\n",
    start: (folder) => ['bash', '--noprofile', '--rcfile', join(folder, 'bashrc'), '-i'],
  },
  zsh: {
    name: '.zshrc',
    text: "PS1='> '\nunsetopt beep\nautoload -Uz compinit\ncompinit -u -D\nsource <(solpack completion zsh)\n",
    start: (folder) => ['env', `ZDOTDIR=${folder}`, 'zsh', '-d', '-i'],
  },
  fish: {
    name: 'init.fish',
    text: "function fish_prompt; printf '> '; end\nset -g fish_greeting\nset -g fish_autosuggestion_enabled 0\nsolpack completion fish | source\n",
    start: (folder) => ['fish', '--no-config', '--private', '-C', `source ${join(folder, 'init.fish')}`],
  },
};

/**
 * Starts a shell on a terminal of so many columns. `folder` is for its own files; it is in `cwd`, where `solpack` is a
 * command.
 */
export async function shellTerminal(
  shell: TypedShell,
  folder: string,
  cwd: string,
  size: { columns: number; lines: number } = { columns: 80, lines: 50 },
): Promise<ShellTerminal> {
  const { name, text, start } = startFiles[shell];
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'bin/solpack'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(folder, 'bin/solpack'), 0o755);
  const terminal = await emulated(folder, cwd, size, start(folder));
  await terminal.shows((screen) => screen.endsWith('>'));
  return terminal;
}

/** Starts a program on a terminal that tmux emulates. */
export async function emulated(
  folder: string,
  cwd: string,
  { columns, lines }: { columns: number; lines: number },
  program: readonly string[],
  locale = 'C.UTF-8',
): Promise<ShellTerminal> {
  const env = {
    PATH: [join(folder, 'bin'), toolFolder, process.env['PATH']].join(':'),
    HOME: folder,
    LC_ALL: locale,
    TMPDIR: folder,
  };
  const tmux = async (...args: string[]): Promise<string> => {
    const { stdout } = await execute(find('tmux')!, ['-S', join(folder, 'tmux'), '-f', '/dev/null', ...args], {
      env,
      cwd,
    });
    return stdout;
  };
  await tmux('new-session', '-d', '-x', `${columns}`, '-y', `${lines}`, '-c', cwd, '--', ...program);
  const screen = async (): Promise<string> => (await tmux('capture-pane', '-p')).replace(/\s+$/, '');
  return {
    type: async (text) => void (await tmux('send-keys', '-l', '--', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    resize: async (columns, lines) => void (await tmux('resize-window', '-x', `${columns}`, '-y', `${lines}`)),
    screen,
    shows: async (is, patience = PATIENCE) => {
      const end = Date.now() + patience;
      for (let last: string | undefined; ; ) {
        const shown = await screen();
        if (shown === last && is(shown)) return shown;
        if (Date.now() > end) throw new Error(`the terminal shows instead:\n${shown}`);
        last = shown;
        // Clock: between two looks.
        await new Promise((wake) => setTimeout(wake, PAUSE));
      }
    },
    [Symbol.asyncDispose]: async () => void (await tmux('kill-server').catch(() => undefined)),
  };
}
