import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizeWords } from '../size-words.ts';

/** Limits that protect the reader of a repository's index. Real indexes have up to 100 MB. */
export const indexLimits = {
  /** Bytes of the whole. */
  total: 512 * 1024 * 1024,
  /** Characters of one line. */
  line: 32 * 1024 * 1024,
  /** Characters of an index that is JSON, which cannot be read in parts. */
  json: 32 * 1024 * 1024,
  /** Characters of what is said of one chart. */
  section: 12 * 1024 * 1024,
} as const;

/** Yields the lines of a text in UTF-8, without their ends. Throws `FormatError` `chart-index-invalid`. */
export async function* linesOf(bytes: Bytes): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let total = 0;
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > indexLimits.total) throw tooMuch(`more than ${sizeWords(indexLimits.total)}`);
    const parts = decoded(decoder, chunk).split('\n');
    const last = parts.pop()!;
    for (const part of parts) {
      yield ended(rest.length === 0 ? part : rest.join('') + part);
      rest = [];
      length = 0;
    }
    rest.push(last);
    length += last.length;
    if (length > indexLimits.line) throw tooMuch(`a line of more than ${indexLimits.line} characters`);
  }
  const end = rest.join('') + decoded(decoder);
  if (end !== '') yield ended(end);
}

function ended(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (cause) {
    throw new FormatError('chart-index-invalid', 'is not valid UTF-8', { cause });
  }
}

function tooMuch(message: string): FormatError {
  return new FormatError('chart-index-invalid', message);
}
