import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';

/** A term, such as a flag, and what it means. */
export interface Term {
  readonly term: string;
  readonly text: string;
}

/** What a command says below its options. */
export type Note =
  /** Variables of the environment, or what the first argument may be. */
  | { readonly title: string; readonly terms: readonly Term[] }
  /** Command lines, each whole. */
  | { readonly title: string; readonly examples: readonly string[] }
  /** Lines of a file, as they are. */
  | { readonly title: string; readonly verbatim: readonly string[] }
  | { readonly title: ''; readonly text: string };

/**
 * The title of what the first argument of a command may be: it comes before the options that only some of these take.
 */
export const ACTIONS = 'Actions:';

const notes = new WeakMap<Command, readonly Note[]>();

/**
 * Takes what `addHelpText('after', …)` has given a command, so that pages set it as they set the rest. Blocks with a
 * blank line between are notes. One whose first line ends with a colon, and whose other lines are indented, has that
 * for its title: `Environment:` has a variable and what it means on each line, `Actions:` an action, `Examples:` has
 * command lines behind `$`.
 */
export function takeNotes(command: Command): void {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  const listeners = command as Command & EventEmitter;
  listeners.emit('afterHelp', { command, error: false, write });
  listeners.removeAllListeners('afterHelp');
  const blocks = text.split(/\n[ \t]*\n/).filter((block) => block.trim() !== '');
  notes.set(command, blocks.map(noteOf));
}

/** Returns what `takeNotes` has taken of a command. */
export function notesOf(command: Command): readonly Note[] {
  return notes.get(command) ?? [];
}

function noteOf(block: string): Note {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  const [title = '', ...rest] = lines;
  if (!title.endsWith(':') || rest.length === 0 || !rest.every((line) => line.startsWith('  '))) {
    return { title: '', text: lines.map((line) => line.trim()).join(' ') };
  }
  if (title === 'Environment:' || title === ACTIONS) return { title, terms: termsOf(rest) };
  if (title === 'Examples:') return { title, examples: examplesOf(rest) };
  return { title, verbatim: rest.map((line) => line.slice(2)) };
}

/** Variables: lines that are indented further continue with the previous one. */
function termsOf(lines: readonly string[]): Term[] {
  const terms: { term: string; text: string }[] = [];
  for (const line of lines) {
    const last = terms.at(-1);
    if (/^ {3}/.test(line) && last) last.text = `${last.text} ${line.trim()}`.trim();
    else {
      const [term = '', ...words] = line.trim().split(/ {2,}/);
      terms.push({ term, text: words.join(' ') });
    }
  }
  return terms;
}

/** Command lines, with those joined that continue in the next line. */
function examplesOf(lines: readonly string[]): string[] {
  const examples: string[] = [];
  let goesOn = false;
  for (const line of lines.map((one) => one.trim())) {
    const part = line.endsWith('\\') ? line.slice(0, -1).trimEnd() : line;
    if (goesOn) examples.push(`${examples.pop()} ${part}`);
    else examples.push(part.replace(/^\$ /, ''));
    goesOn = part !== line;
  }
  return examples;
}
