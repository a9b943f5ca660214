import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';

const runs = /[A-Za-z0-9+/_-]{8,}(?:(?:\\n|\r?\n)[ \t]*[A-Za-z0-9+/_-]+)*={0,2}/g;

/** Reads all files below a folder, by their paths. */
export function filesBelow(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(names.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]));
}

/**
 * Gives everything that bytes say to somebody who decodes what they find in them, again and again: Base64 of both
 * alphabets from each of its characters on, in one line or several, hexadecimal, JSON, percent-encoding, gzip and zlib
 * anywhere.
 */
export function* textsIn(bytes: Buffer, depth = 4): Iterable<string> {
  const text = bytes.toString();
  yield text;
  if (/%[0-9A-F]{2}/i.test(text))
    yield text.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  yield text
    .replace(/\\+u00([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+/g, '');
  if (depth === 0) return;
  for (let at = bytes.indexOf('1f8b08', 'hex'); at >= 0; at = bytes.indexOf('1f8b08', at + 1, 'hex')) {
    const plain = attempted(() => gunzipSync(bytes.subarray(at)));
    if (plain) yield* textsIn(plain, depth - 1);
  }
  if (bytes[0] === 0x78) {
    const plain = attempted(() => inflateSync(bytes));
    if (plain) yield* textsIn(plain, depth - 1);
  }
  for (const run of text.match(runs) ?? []) {
    for (const one of new Set([run.replace(/\\n|\s/g, ''), ...run.split(/\\n|\s+/)])) {
      if (one.length < 8) continue;
      for (const from of [0, 1, 2, 3]) yield* textsIn(Buffer.from(one.slice(from), 'base64'), depth - 1);
    }
  }
  for (const hex of text.match(/(?:[0-9a-f]{2}){8,}/gi) ?? []) yield* textsIn(Buffer.from(hex, 'hex'), depth - 1);
}

function attempted(work: () => Buffer): Buffer | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
