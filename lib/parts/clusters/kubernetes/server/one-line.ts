import type { Condition } from './object-path.ts';

/** An escape sequence of a terminal (ECMA-48, "Control sequences"). */
const escapes = /\u001b\[[0-?]*[ -/]*[@-~]/g;
/** Everything that moves a cursor, changes the direction of writing, or is not a character at all. */
const controls = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Returns `text`, which may come from anybody, as one line of at most `limit` characters, with an ellipsis where it is
 * cut.
 */
export function oneLine(text: string, limit = 200): string {
  const line = text.replace(escapes, '').replace(controls, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns a count with its noun: `1 replica`, `3 replicas`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns what a condition says: its message, otherwise its reason, otherwise its type and status. */
export function saysOf({ type, status, reason, message }: Condition): string {
  return oneLine(message) || oneLine(reason) || oneLine(`${type} is ${status || 'unknown'}`);
}

/** Returns what follows the first `words` in `text`; undefined where they are not in it. */
export function behind(text: string, words: string): string | undefined {
  const at = text.indexOf(words);
  return at < 0 ? undefined : text.slice(at + words.length);
}
