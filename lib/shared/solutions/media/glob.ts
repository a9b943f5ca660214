import * as fs from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { byteOrder } from '../../../../formats/bytes.ts';
import { codeOf, unreadable } from '../../../kernel/events/index.ts';
import type { Origin } from '../origin/index.ts';
import type { MediumKind } from './kind.ts';

/** A pattern of file names: `*`, `?` and `[...]` stand for parts of names, and never for a slash. */
export const glob: MediumKind = {
  find: async (entry, { base, origin }) => {
    const path = resolve(base, entry);
    if (!isPattern(entry) || (await origin.isThere(path))) return undefined;
    const names = path.split(sep);
    const first = names.findIndex(isPattern);
    let found = [names.slice(0, Math.max(first, 0)).join(sep) || sep];
    for (const name of first < 0 ? [] : names.slice(first)) {
      const below: string[] = [];
      for (const folder of found) below.push(...(await matching(folder, name, origin)));
      found = below;
    }
    return { places: found.sort(byteOrder).map(origin.placeOf), several: true };
  },
};

const isPattern = (text: string): boolean => /[*?[]/.test(text);

async function matching(folder: string, pattern: string, origin: Origin): Promise<string[]> {
  const at = (name: string): string => (folder.endsWith(sep) ? `${folder}${name}` : `${folder}${sep}${name}`);
  if (!isPattern(pattern)) return (await origin.isThere(at(pattern))) ? [at(pattern)] : [];
  const names = await origin
    .reach(folder, (reached) => (reached === undefined ? none() : fs.readdir(reached)))
    .catch((error) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
      throw unreadable(folder, error);
    });
  return names
    .filter((name) => name.startsWith('.') === pattern.startsWith('.') && matchesPattern(name, pattern))
    .map(at);
}

const none = async (): Promise<string[]> => [];

/** Returns whether a name is one that a pattern stands for. It takes no more than the time of both multiplied. */
export function matchesPattern(name: string, pattern: string): boolean {
  const parts = partsOf(pattern);
  /** Whether the parts so far can stand for so many characters of the name. */
  let reached: boolean[] = [true, ...[...name].map(() => false)];
  for (const part of parts) {
    const next: boolean[] = [part === '*' && reached[0]!];
    for (const [at, character] of [...name].entries()) {
      next.push(part === '*' ? reached[at + 1]! || next[at]! : reached[at]! && part(character));
    }
    reached = next;
  }
  return reached.at(-1)!;
}

type Part = '*' | ((character: string) => boolean);

function partsOf(pattern: string): Part[] {
  const characters = [...pattern];
  const parts: Part[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]!;
    const end = character === '[' ? characters.indexOf(']', at + 2) : -1;
    if (character === '*') parts.push('*');
    else if (character === '?') parts.push(() => true);
    else if (end < 0) parts.push((one) => one === character);
    else {
      parts.push(oneOf(characters.slice(at + 1, end)));
      at = end;
    }
  }
  return parts;
}

/** What stands in brackets: characters and ranges; `!` or `^` before them means all others. */
function oneOf(inside: readonly string[]): (character: string) => boolean {
  const not = inside[0] === '!' || inside[0] === '^';
  const set = not ? inside.slice(1) : inside;
  return (character) => {
    for (let at = 0; at < set.length; at += 1) {
      const isRange = set[at + 1] === '-' && at + 2 < set.length;
      const [from, to] = [set[at]!, isRange ? set[at + 2]! : set[at]!];
      if (character >= from && character <= to) return !not;
      if (isRange) at += 2;
    }
    return not;
  };
}
