import { isUtf8 } from 'node:buffer';
import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizeWords } from '../size-words.ts';

/** Limits that protect the reader of a repository's index. Real indexes have up to 100 MB. */
export const indexLimits = {
  /** Bytes of the whole. */
  total: 512 * 1024 * 1024,
  /** Bytes of one line. */
  line: 32 * 1024 * 1024,
  /** Characters of an index that is JSON, which cannot be read in parts. */
  json: 32 * 1024 * 1024,
  /** Characters of what is said of one chart. */
  section: 12 * 1024 * 1024,
} as const;

const NEWLINE = 0x0a;

/**
 * Yields the lines of a text in UTF-8, without their ends, each as soon as it is there: what follows it counts only for
 * who reads on. Throws `FormatError` `chart-index-invalid`.
 */
export async function* linesOf(bytes: Bytes): AsyncGenerator<string, void, undefined> {
  let [total, length] = [0, 0];
  let rest: Uint8Array[] = [];
  let decode = decodedFirst;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > indexLimits.total) throw tooMuch(`more than ${sizeWords(indexLimits.total)}`);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const whole = Buffer.concat([...rest, chunk.subarray(0, end)]);
      [rest, length] = [[], 0];
      yield* linesIn(whole, decode);
      decode = decoded;
    }
    // Whoever sends the chunk may use its memory again.
    if (end < chunk.length) rest.push(Buffer.from(chunk.subarray(end)));
    length += chunk.length - end;
    if (length > indexLimits.line) throw tooMuch(`a line of more than ${sizeWords(indexLimits.line)}`);
  }
  if (length > 0) yield ended(decode(Buffer.concat(rest)));
}

/** The lines of a text that ends with one. A line that is not valid is only met by who gets there. */
function* linesIn(whole: Buffer, decode: (bytes: Uint8Array) => string): Generator<string, void, undefined> {
  if (isUtf8(whole)) {
    const lines = decode(whole).split('\n');
    lines.pop();
    for (const line of lines) yield ended(line);
    return;
  }
  for (let at = 0; at < whole.length; ) {
    const end = whole.indexOf(NEWLINE, at);
    yield ended((at === 0 ? decode : decoded)(whole.subarray(at, end)));
    at = end + 1;
  }
}

/** The first line may begin with a byte order mark, which is not a part of it. */
function decodedFirst(bytes: Uint8Array): string {
  return decoded(bytes).replace(/^\uFEFF/, '');
}

function ended(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function decoded(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new FormatError('chart-index-invalid', 'is not valid UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

function tooMuch(message: string): FormatError {
  return new FormatError('chart-index-invalid', message);
}
