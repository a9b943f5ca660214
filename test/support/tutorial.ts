import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Something that a reader of a page does, or looks at. */
export type Step =
  /** A command with the lines that it prints; one that ends in ` &` runs until the end of the page. */
  | { readonly kind: 'run'; readonly command: string; readonly output: readonly string[]; readonly code: number }
  | { readonly kind: 'write' | 'append' | 'show'; readonly path: string; readonly text: string };

/** What a command printed, and how it ended; 0 for one that goes on. */
export interface Ran {
  readonly code: number;
  /** Its output, and before that its notes, behind it its errors: what a person sees who leaves progress out. */
  readonly lines: readonly string[];
}

/** Where a page is followed: a folder, what runs commands there, and words of the page that are others there. */
export interface Reader {
  readonly folder: string;
  readonly words: ReadonlyMap<string, string>;
  run(command: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ran>;
  /** Starts a command that goes on, and resolves to its first line once it has printed that. */
  start(command: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ran>;
}

/**
 * Reads the steps of a page, or of the part of it from the heading `from` to the heading `to`. Each block of code is
 * one: `console` has commands behind `$ ` and what they print, any other is a file whose path the comment before it
 * tells, to be written or compared (`<!-- write PATH -->`, `append`, `show`). A command ends with 0, or as a comment
 * says (`<!-- ends with 1 -->`). Throws where a block is none of these, so that nothing on a page stays untried.
 */
export function stepsOf(page: string, from?: string, to?: string): Step[] {
  const start = from === undefined ? 0 : page.indexOf(`\n## ${from}\n`);
  const end = to === undefined ? page.length : page.indexOf(`\n## ${to}\n`);
  if (start < 0 || end < 0) throw new Error(`the page has no heading ${start < 0 ? from : to}`);
  const blocks = page.slice(start, end).matchAll(/(?:<!-- (.*?) -->\n)?```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, note = '', language = '', text = '']) => {
    if (language === 'console') return commandsOf(text, Number(/^ends with (\d+)$/.exec(note)?.[1] ?? 0));
    const [, kind, path] = /^(write|append|show) (\S+)$/.exec(note) ?? [];
    if (!path) throw new Error(`nothing tells what this block is for:\n${text}`);
    return [{ kind: kind as 'write' | 'append' | 'show', path, text }];
  });
}

function commandsOf(text: string, code: number): Step[] {
  const steps: { kind: 'run'; command: string; output: string[]; code: number }[] = [];
  let open = false;
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) steps.push({ kind: 'run', command: line.slice(2), output: [], code: 0 });
    else if (open) steps.at(-1)!.command += `\n${line.trim()}`;
    else if (steps.length > 0) steps.at(-1)!.output.push(line);
    else throw new Error(`a block does not begin with a command:\n${text}`);
    open = line.endsWith('\\') && (line.startsWith('$ ') || open);
  }
  // The last one of a block is what a comment before it is about.
  return steps.map((step, at) => (at === steps.length - 1 ? { ...step, code } : step));
}

/**
 * Follows the steps in order, and returns what did not happen as the page says; nothing of what comes behind it is
 * done.
 */
export async function follow(steps: readonly Step[], reader: Reader): Promise<string[]> {
  let cwd = reader.folder;
  const env: Record<string, string> = {};
  const here = (text: string): string =>
    [...reader.words].reduce((all, [word, other]) => all.replaceAll(word, other), text);
  for (const step of steps) {
    if (step.kind !== 'run') {
      const path = join(cwd, step.path);
      if (step.kind === 'show') {
        const wrong = differences(
          step.path,
          here(step.text).trimEnd().split('\n'),
          readFileSync(path, 'utf8').trimEnd().split('\n'),
        );
        if (wrong.length > 0) return wrong;
      } else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, here(step.text), { flag: step.kind === 'write' ? 'w' : 'a' });
      }
      continue;
    }
    const command = here(step.command);
    const [, folder] = /^cd (\S+)$/.exec(command) ?? [];
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(command) ?? [];
    if (folder !== undefined) cwd = join(cwd, folder);
    else if (name !== undefined) env[name] = value!.replaceAll('$PWD', cwd);
    else {
      const output = step.output.map(here);
      const { code, lines } = command.endsWith(' &')
        ? await reader.start(command.slice(0, -2), cwd, env)
        : await reader.run(command, cwd, env);
      const wrong = differences(command, output, lines);
      if (code !== step.code) return [`"${command}" ended with ${code}, not with ${step.code}`, ...lines];
      if (wrong.length > 0) return wrong;
    }
  }
  return [];
}

/**
 * Compares lines with those of the page, in which `…` stands for anything in a line, and alone for any lines. How far
 * apart the columns of a table are may differ.
 */
function differences(what: string, told: readonly string[], found: readonly string[]): string[] {
  const text = found.map((line) => `${line}\n`).join('');
  const wanted = new RegExp(`^${told.map(patternOf).join('')}$`);
  return wanted.test(text) ? [] : [`"${what}" printed other lines than the page has:`, ...found];
}

function patternOf(line: string): string {
  if (line.trim() === '…') return '(?:.*\\n)*?';
  const plain = line.trimEnd().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `${plain.replaceAll('…', '.*').replace(/(?<=\S) {2,}/g, ' +')} *\\n`;
}
