import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  Parser,
  type ScalarTag,
  visit,
  type YAMLMap,
} from 'yaml';
import { type FormatCode, FormatError, PositionedError, type PositionedProblem } from '../error.ts';
import { TextLines } from '../text-lines.ts';
import { jsonStream } from './json-stream.ts';
import { parsePlainYaml, type YamlDocument } from './plain-yaml.ts';
import { quotedLexer } from './quoted-lexer.ts';
import { exactScalars, kubernetesScalars } from './scalars.ts';
import { type FieldPath, yamlExtent } from './yaml-fields.ts';
import { yamlWords } from './yaml-words.ts';

/** Limits what the reader accepts, against documents made to exhaust it. */
export const yamlLimits = {
  /** Characters of one text. */
  length: 16 * 1024 * 1024,
  /** Collections within collections. */
  depth: 256,
  /** Values of one document, each counted as often as aliases repeat it. */
  values: 4_000_000,
  /** Entries of lists and mappings of one document that is not written plainly, and what merge keys add to it. */
  entries: 100_000,
  /** The same of all documents of a text. */
  allEntries: 600_000,
  /** Bytes of memory that one document may take until it is read, if it is not written plainly (`costOf`). */
  memory: 72 * 1024 * 1024,
  /** Aliases of one document. */
  aliases: 1000,
  /** Directives and ends of documents, and characters of a directive. */
  marks: 10_000,
  directive: 1000,
  /** Documents of one text, also those without content. */
  documents: 50_000,
} as const;

/** A key that stands twice in one mapping. */
export interface RepeatedKey {
  readonly key: string;
  /** The line of the previous one, from 1. */
  readonly before: number;
  /** The line of the one that counts. */
  readonly line: number;
}

/** Estimated bytes after which garbage is worth collecting: V8 lets that of several large documents pile up. */
const MUCH = 32 * 1024 * 1024;

let afterMuch: () => void = () => undefined;

/** Calls `collect` whenever documents have taken much memory to read: for all readers, while the process runs. */
export function collectWhileReading(collect: () => void): void {
  afterMuch = collect;
}

/** Is called with each repeated key. */
export type OnRepeated = (repeated: RepeatedKey) => void;

/**
 * Parses a YAML or JSON text of any number of documents (YAML 1.2.2 chapter 9, scalars as in `kubernetesScalars`);
 * documents without content are left out. Keys become strings. Tags of an application, what exceeds `yamlLimits`, and
 * repeated keys are refused: throws `FormatError` of `code`, which is a `PositionedError` unless the text is too long.
 * If `onRepeated` takes repeated keys, the last one counts, as with Helm.
 */
export function parseYaml(
  text: string,
  name: string,
  code: FormatCode = 'yaml-invalid',
  onRepeated?: OnRepeated,
): YamlDocument[] {
  return parsed(text, name, code, onRepeated, kubernetesScalars);
}

/** The same for objects of the API: an integer that a number cannot keep is a `bigint`, and none is refused. */
export function parseExactYaml(
  text: string,
  name: string,
  code: FormatCode = 'yaml-invalid',
  onRepeated?: OnRepeated,
): YamlDocument[] {
  return parsed(text, name, code, onRepeated, exactScalars);
}

function parsed(
  text: string,
  name: string,
  code: FormatCode,
  onRepeated: OnRepeated | undefined,
  scalars: readonly ScalarTag[],
): YamlDocument[] {
  if (text.length > yamlLimits.length) {
    throw new FormatError(code, `${name}: more than ${yamlLimits.length} characters`);
  }
  const fail: FailAt = (message, start, end, cause) =>
    new PositionedError(code, [problemIn(text, oneLine(message), start, end)], { textName: name, cause });
  const plain = parsePlainYaml(text, {
    documents: yamlLimits.documents,
    values: yamlLimits.allEntries,
    excess: (of, offset) => fail(of === 'values' ? tooMany : tooManyDocuments, offset),
  });
  if (plain) return plain;
  let lines: TextLines | undefined;
  const repeated: Repeated = (key, [from, to], [before]) => {
    if (!onRepeated) throw fail(`the key ${JSON.stringify(key)} is there twice`, from, to);
    lines ??= new TextLines(text);
    onRepeated({ key, before: lines.position(before).line, line: lines.position(from).line });
  };
  return guarded(
    // Document by document, so that only one syntax tree at a time is in memory: it is many times the text.
    () => textsOf(text, fail).flatMap((part) => contentsOf(part, scalars, repeated)),
    (error) => fail(messageOf(error), 0, 1, error),
  );
}

/**
 * Describes what is wrong with a field of a document that `parseYaml` has read from `text`, at the field or the nearest
 * thing around it; at its name alone if `ofName` is set. `start` is where the document's content begins. The text is
 * parsed once more, because no syntax tree was kept.
 */
export function yamlProblem(
  text: string,
  start: number,
  path: FieldPath,
  message: string,
  ofName: boolean = false,
): PositionedProblem {
  const refuse: FailAt = (words) => new Error(words);
  for (const { text: part, at } of textsOf(text, refuse)) {
    for (const document of documentsOf(part, refuse, exactScalars)) {
      const extent = yamlExtent(document, []);
      if (extent === undefined || at + extent.start !== start) continue;
      const { start: from, end } = yamlExtent(document, path, ofName) ?? extent;
      return problemIn(text, message, at + from, at + end);
    }
  }
  return problemIn(text, message, start);
}

/** A problem that keeps its line to itself where the text has a Secret, or keys and certificates in PEM. */
function problemIn(text: string, message: string, start: number, end?: number): PositionedProblem {
  const problem = new TextLines(text).problem(message, start, end);
  const isSecret = text.includes('-----BEGIN') || /\bkind["']?[ \t]*:[ \t]*["']?Secret/.test(text);
  return isSecret ? { ...problem, lineText: undefined } : problem;
}

/** A text that a reader of YAML takes as a whole. */
interface PartialText {
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly at: number;
  /** Fails at a place of the part. */
  readonly fail: FailAt;
}

/** Returns the texts of a text: each value of a stream of JSON objects, which kubectl reads too, or all of it. */
function textsOf(text: string, fail: FailAt): PartialText[] {
  const starts = jsonStream(text);
  if (starts === undefined) return [{ text, at: 0, fail }];
  if (starts.length > yamlLimits.marks)
    throw fail(`more than ${yamlLimits.marks} documents`, starts[yamlLimits.marks]!);
  return starts.map((at, index) => ({
    text: text.slice(at, starts[index + 1]),
    at,
    fail: (message, start, end, cause) => fail(message, at + start, end === undefined ? undefined : at + end, cause),
  }));
}

function contentsOf(
  { text, at, fail }: PartialText,
  scalars: readonly ScalarTag[],
  repeated: Repeated,
): YamlDocument[] {
  const shifted: Repeated = (key, [from, to], [before, end]) =>
    repeated(key, [at + from, at + to], [at + before, at + end]);
  const found = Array.from(documentsOf(text, fail, scalars), (document) => contentOf(document, fail, shifted)).flat();
  return at === 0 ? found : found.map(({ value, start }) => ({ value, start: at + start }));
}

function documentsOf(text: string, fail: FailAt, scalars: readonly ScalarTag[]): Generator<Document.Parsed> {
  const composer = new Composer({
    schema: 'failsafe',
    customTags: (tags) => [...tags, ...scalars],
    resolveKnownTags: false,
    merge: true,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  return composer.compose(soundTokens(text, fail)) as Generator<Document.Parsed>;
}

/**
 * Yields the tokens of a YAML text. At the first one that the syntax does not allow there, or that lies too deep, it
 * throws what `fail` makes of that: each further token would become an error or a collection of a thousand times its
 * size.
 */
export function* soundTokens(text: string, fail: FailAt): Generator<CST.Token> {
  let marks = 0;
  let documents = 0;
  for (const token of tokensOf(text, fail)) {
    if (token.type === 'error') {
      const meant = yamlWords(token.message);
      const message = token.source ? `${meant}: ${JSON.stringify(token.source)}` : meant;
      throw fail(message, token.offset, token.offset + token.source.length);
    }
    if (token.type === 'directive' || token.type === 'doc-end') marks += 1;
    if (token.type === 'directive' && token.source.length > yamlLimits.directive) {
      throw fail(`a directive of more than ${yamlLimits.directive} characters`, token.offset);
    }
    if (token.type === 'document') documents += 1;
    if (documents > yamlLimits.documents) throw fail(tooManyDocuments, token.offset);
    if (marks > yamlLimits.marks) throw fail(`more than ${yamlLimits.marks} marks of documents`, token.offset);
    yield token;
  }
}

/** What the lexer says where a document begins, and before an entry or its value. */
const marksDocument: ReadonlySet<string> = new Set(['\u0002', '---']);
const marksEntry: ReadonlySet<string> = new Set([',', '-', ':', '?', '[', '{']);

/**
 * What a token takes with what the parser makes of it, an entry besides, a line of a text, and a letter of one in
 * quotes.
 */
const bytes = { token: 220, entry: 400, line: 200, letter: 32 } as const;

/**
 * Estimates how much memory the parser takes for what the lexer has cut off: comments and line breaks are kept as
 * objects, the lines of a text apart, and a text in quotes is put together letter by letter.
 */
function costOf(lexeme: string): number {
  if (lexeme.length < 2) return bytes.token + (marksEntry.has(lexeme) ? bytes.entry : 0);
  if (lexeme.startsWith('"') || lexeme.startsWith("'")) return bytes.token + lexeme.length * bytes.letter;
  let lines = 0;
  for (let at = lexeme.indexOf('\n'); at >= 0; at = lexeme.indexOf('\n', at + 1)) lines += 1;
  return bytes.token + lines * bytes.line;
}

/**
 * Decides whether the lexer says something by a lexeme that does not stand in the text: that a document or scalar
 * begins, or a flow ends.
 */
function isNoText(lexeme: string): boolean {
  return lexeme === '\u0002' || lexeme === '\u0018' || lexeme === '\u001f';
}

/** Yields what the parser makes of a text, each document once it has ended. */
function* tokensOf(text: string, fail: FailAt): Generator<CST.Token> {
  const parser = new Parser();
  let [offset, entries, all, memory, since] = [0, 0, 0, 0, 0];
  for (const lexeme of quotedLexer().lex(text)) {
    if (marksDocument.has(lexeme)) [entries, memory] = [0, 0];
    else if (marksEntry.has(lexeme)) [entries, all] = [entries + 1, all + 1];
    const cost = costOf(lexeme);
    [memory, since] = [memory + cost, since + cost];
    if (since > MUCH) {
      since = 0;
      afterMuch();
    }
    if (entries > yamlLimits.entries) throw fail(`more than ${yamlLimits.entries} entries in one document`, offset);
    if (all > yamlLimits.allEntries) throw fail(tooMany, offset);
    if (memory > yamlLimits.memory) throw fail(tooLarge, offset);
    yield* parser.next(lexeme);
    if (!isNoText(lexeme)) offset += lexeme.length;
    // The document and a scalar in the innermost collection are on the stack as well.
    if (parser.stack.length > yamlLimits.depth + 2) throw fail(tooDeep, Math.min(offset, text.length));
  }
  yield* parser.end();
}

const tooMany = `more than ${yamlLimits.allEntries} entries in one text`;

const tooManyDocuments = `more than ${yamlLimits.documents} documents`;

const tooLarge = 'a document with more entries, comments, lines and text in quotes than are read; make several of it';

const tooDeep = `nested more than ${yamlLimits.depth} deep`;

/** Makes an error about what begins at the offset `start` and ends before `end`. */
export type FailAt = (message: string, start: number, end?: number, cause?: unknown) => Error;

type Extent = readonly [start: number, end: number];

/** Gets a key that stands twice, with its place and that of the previous one. */
type Repeated = (key: string, at: Extent, before: Extent) => void;

function contentOf(document: Document.Parsed, fail: FailAt, repeated: Repeated): YamlDocument[] {
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) throw fail(yamlWords(problem.message), ...problem.pos, problem);
  if (!document.contents) return [];
  const start = (document.contents as ParsedNode).range[0];
  checkNodes(document, fail, repeated, start);
  const value: unknown = guarded(
    () => document.toJS({ maxAliasCount: yamlLimits.aliases }),
    (error) => fail(yamlWords(messageOf(error)), start, start + 1, error),
  );
  const excess = excessOf(value);
  if (excess) throw fail(excess, start);
  return value === null ? [] : [{ value, start }];
}

/** Checks here what the parser would check in quadratic time: keys are looked up in a map. */
function checkNodes(document: Document.Parsed, fail: FailAt, repeated: Repeated, start: number): void {
  let [aliases, merged] = [0, 0];
  const mergedInto = mergedEntries();
  visit(document, {
    Alias: () => {
      aliases += 1;
      if (aliases > yamlLimits.aliases) throw fail(`more than ${yamlLimits.aliases} aliases`, start);
    },
    Map: (_, map) => {
      merged += mergedInto(map as YAMLMap.Parsed);
      if (merged > yamlLimits.entries) throw fail(`merges more than ${yamlLimits.entries} entries`, start);
      const keys = new Map<string, Extent>();
      for (const { key } of map.items) {
        const [from, to] = (key as ParsedNode | null)?.range ?? [start, start + 1];
        if (isAlias(key) || !isScalar(key) || key.value === null) throw fail('a key must be a plain value', from, to);
        if (typeof key.value === 'symbol') continue;
        const name = String(key.value);
        const before = keys.get(name);
        if (before) repeated(name, [from, to], before);
        keys.set(name, [from, to]);
      }
    },
  });
}

/**
 * Returns a function that counts the entries that merge keys bring to a mapping. Call it with mappings in their order.
 */
function mergedEntries(): (map: YAMLMap.Parsed) => number {
  const [anchored, sizes] = [new Map<string, unknown>(), new Map<unknown, number>()];
  const brought = (value: unknown): number => {
    if (isAlias(value)) return sizes.get(anchored.get(value.source)) ?? 0;
    if (isSeq(value)) return value.items.reduce((sum: number, one) => sum + brought(one), 0);
    return isMap(value) ? value.items.length + added(value as YAMLMap.Parsed) : 0;
  };
  const added = ({ items }: YAMLMap.Parsed): number => {
    const merges = items.filter(({ key }) => isScalar(key) && typeof key.value === 'symbol');
    return merges.reduce((sum, { value }) => sum + brought(value), 0);
  };
  return (map) => {
    const count = added(map);
    sizes.set(map, map.items.length + count);
    if (map.anchor !== undefined) anchored.set(map.anchor, map);
    return count;
  };
}

/** Why `value` must not be walked, or undefined where it may: too deep, too many values, or containing itself. */
function excessOf(value: unknown): string | undefined {
  const above = new Set<unknown>();
  let count = 0;
  const walk = (node: unknown): string | undefined => {
    count += 1;
    if (count > yamlLimits.values) return `more than ${yamlLimits.values} values`;
    if (typeof node !== 'object' || node === null) return undefined;
    if (above.has(node)) return 'a collection contains itself';
    if (above.size >= yamlLimits.depth) return tooDeep;
    above.add(node);
    for (const child of Object.values(node)) {
      const excess = walk(child);
      if (excess) return excess;
    }
    above.delete(node);
    return undefined;
  };
  return walk(value);
}

function guarded<T>(work: () => T, onError: (error: unknown) => Error): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof FormatError ? error : onError(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').trim().slice(0, 300);
}
