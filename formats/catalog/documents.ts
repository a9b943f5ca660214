import { isUtf8 } from 'node:buffer';
import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizeWords } from '../size-words.ts';

/** Limits that protect the reader of a catalog. */
export const catalogLimits = {
  /** Bytes of one document. Real ones, with all manifests of a bundle in them, have up to 3 MB. */
  document: 8 * 1024 * 1024,
  /** Documents of a catalog, also those without content. */
  documents: 100_000,
  /** Names and values of one document of JSON, as many as a YAML text may have entries. */
  values: 600_000,
  /** Characters, as JSON, of all that is kept of a catalog: names, edges and what is said of deprecations. */
  kept: 16 * 1024 * 1024,
} as const;

/** Counts the documents of all files of a catalog. */
export class DocumentCount {
  #documents = 0;

  /** Throws `FormatError` `catalog-invalid` for more than a catalog may have. */
  add(): void {
    this.#documents += 1;
    if (this.#documents > catalogLimits.documents) throw invalid(`more than ${catalogLimits.documents} documents`);
  }
}

/** One document of a file of a catalog. */
export interface CatalogDocument {
  readonly text: string;
  /** The line of the file that it begins on, from 1. */
  readonly line: number;
  readonly isJson: boolean;
}

const [LF, QUOTE, BACKSLASH] = [0x0a, 0x22, 0x5c];
const [OPEN, CLOSE] = [0x7b, 0x7d];

/**
 * Splits a file of a catalog into its documents, of which one at a time is in memory: documents of YAML, or JSON
 * objects one after the other if the file begins with `{`, as OLM reads them. Empty documents are left out, but
 * `count` counts them too. Throws `FormatError` `catalog-invalid`.
 */
export async function* catalogDocuments(
  bytes: Bytes,
  count: DocumentCount = new DocumentCount(),
): AsyncGenerator<CatalogDocument, void, undefined> {
  let splitter: Splitter | undefined;
  let line = 1;
  for await (const chunk of bytes) {
    // Whoever sends the chunk may use its memory again.
    let rest = Buffer.from(chunk);
    if (!splitter) {
      if (rest[0] === 0xef && rest[1] === 0xbb && rest[2] === 0xbf) rest = rest.subarray(3);
      const first = rest.findIndex((byte) => !isSpace(byte));
      if (first < 0) {
        line += linesIn(rest);
        continue;
      }
      splitter = rest[first] === OPEN ? new JsonSplitter(line, count) : new YamlSplitter(line, count);
    }
    yield* splitter.take(rest);
  }
  if (splitter) yield* splitter.end();
}

/** Takes the chunks of a file, and returns the documents that end in them. */
interface Splitter {
  take(chunk: Buffer): Iterable<CatalogDocument>;
  end(): Iterable<CatalogDocument>;
}

/** The beginning of a document whose end is not there yet. */
class Unfinished {
  #parts: Buffer[] = [];
  #size = 0;
  #line: number;
  readonly #isJson: boolean;
  readonly #count: DocumentCount;

  constructor(line: number, isJson: boolean, count: DocumentCount) {
    this.#line = line;
    this.#isJson = isJson;
    this.#count = count;
  }

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size > catalogLimits.document) {
      throw invalid(`the document at line ${this.#line} has more than ${sizeWords(catalogLimits.document)}`);
    }
  }

  /** Ends the document; undefined if it is empty. */
  finish(): CatalogDocument | undefined {
    this.#count.add();
    const whole = Buffer.concat(this.#parts);
    const line = this.#line;
    this.#parts = [];
    this.#size = 0;
    this.#line += linesIn(whole);
    if (!isUtf8(whole)) throw invalid(`the document at line ${line} is not valid UTF-8`);
    const text = whole.toString();
    return isEmptyText(text) ? undefined : { text, line, isJson: this.#isJson };
  }

  get line(): number {
    return this.#line;
  }
}

/** Splits at the lines that begin with `---`. */
class YamlSplitter implements Splitter {
  readonly #current: Unfinished;
  #rest: Buffer = Buffer.alloc(0);

  constructor(line: number, count: DocumentCount) {
    this.#current = new Unfinished(line, false, count);
  }

  *take(chunk: Buffer): Iterable<CatalogDocument> {
    const block = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const end = block.lastIndexOf(LF) + 1;
    this.#rest = block.subarray(end);
    if (this.#rest.length > catalogLimits.document) {
      throw invalid(`line ${this.#current.line} has more than ${sizeWords(catalogLimits.document)}`);
    }
    yield* this.#lines(block.subarray(0, end));
  }

  *end(): Iterable<CatalogDocument> {
    yield* this.#lines(this.#rest);
    const last = this.#current.finish();
    if (last) yield last;
  }

  /** Takes whole lines. */
  *#lines(block: Buffer): Iterable<CatalogDocument> {
    let start = 0;
    for (let at = isMark(block, 0) ? 0 : nextMark(block, 0); at >= 0; at = nextMark(block, at)) {
      this.#current.add(block.subarray(start, at));
      start = at;
      const found = this.#current.finish();
      if (found) yield found;
    }
    this.#current.add(block.subarray(start));
  }
}

/** Whether the line at `at` separates documents. */
function isMark(block: Buffer, at: number): boolean {
  return block.toString('latin1', at, at + 3) === '---' && (at + 3 >= block.length || isSpace(block[at + 3]!));
}

function nextMark(block: Buffer, from: number): number {
  for (let at = block.indexOf('\n---', from); at >= 0; at = block.indexOf('\n---', at + 1)) {
    if (isMark(block, at + 1)) return at + 1;
  }
  return -1;
}

/** Splits behind the `}` of each object. */
class JsonSplitter implements Splitter {
  readonly #current: Unfinished;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(line: number, count: DocumentCount) {
    this.#current = new Unfinished(line, true, count);
  }

  *take(chunk: Buffer): Iterable<CatalogDocument> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
      } else if (byte === QUOTE) this.#isInText = true;
      else if (byte === OPEN) this.#depth += 1;
      else if (byte === CLOSE) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        this.#current.add(chunk.subarray(start, at + 1));
        start = at + 1;
        this.#depth = 0;
        const found = this.#current.finish();
        if (found) yield found;
      }
    }
    this.#current.add(chunk.subarray(start));
  }

  *end(): Iterable<CatalogDocument> {
    const last = this.#current.finish();
    if (last) yield last;
  }
}

/** Whether a document has nothing but white space, comments and marks. */
function isEmptyText(text: string): boolean {
  return !/^[ \t]*(?!---(?:\s|$))[^\s#]/m.test(text) && !/^---[ \t]+[^\s#]/m.test(text);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}

function invalid(message: string): FormatError {
  return new FormatError('catalog-invalid', message);
}
