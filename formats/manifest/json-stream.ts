import { endOfString } from '../exact-json.ts';

/**
 * Returns where each of several JSON objects begins that follow one another in a text, with nothing but white space
 * between them; undefined for every other text, also for one object alone.
 */
export function jsonStream(text: string): number[] | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const starts: number[] = [];
  const word = /\S/g;
  for (let at = text.indexOf('{'); at < text.length; ) {
    const end = endOfObject(text, at);
    // YAML has other collections that are written so.
    if (end === undefined || !isJson(text.slice(at, end))) return undefined;
    starts.push(at);
    word.lastIndex = end;
    if (!word.test(text)) break;
    at = word.lastIndex - 1;
    if (text[at] !== '{') return undefined;
  }
  return starts.length > 1 ? starts : undefined;
}

/** Returns where the object ends that begins at `start`. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (character === '"') {
      at = endOfString(text, at);
      if (at < 0) return undefined;
    }
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
