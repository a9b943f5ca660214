import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isScalar,
  Lexer,
  LineCounter,
  type ParsedNode,
  Parser,
  visit,
} from 'yaml';
import { type FormatCode, FormatError } from '../error.ts';
import { kubernetesScalars } from './scalars.ts';

/** What protects the reader from documents made to exhaust it. */
export const yamlLimits = {
  /** Characters of one text. */
  length: 16 * 1024 * 1024,
  /** Collections within collections. */
  depth: 256,
  /** Values of one document, each counted as often as aliases repeat it. */
  values: 4_000_000,
  /** Aliases of one document. */
  aliases: 1000,
  /** Directives and ends of documents. */
  marks: 10_000,
} as const;

/** One document of a YAML stream. */
export interface YamlDocument {
  readonly value: unknown;
  /** Where its content begins, counted from 1. */
  readonly line: number;
}

/**
 * Parses a YAML or JSON text of any number of documents (YAML 1.2.2 chapter 9, scalars as in `kubernetesScalars`);
 * documents without content are left out. Keys become strings. Repeated keys, tags of an application, and what
 * exceeds `yamlLimits` are refused: throws `FormatError` of `code`, whose message begins with `name:line:column`.
 */
export function parseYaml(text: string, name: string, code: FormatCode = 'yaml-invalid'): YamlDocument[] {
  if (text.length > yamlLimits.length) {
    throw new FormatError(code, `${name}: more than ${yamlLimits.length} characters`);
  }
  const lines = new LineCounter();
  const fail = (message: string, offset: number, cause?: unknown): FormatError => {
    const { line, col } = lines.linePos(offset);
    return new FormatError(code, `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}: ${oneLine(message)}`, {
      offset,
      cause,
    });
  };
  return guarded(
    () => {
      // Document by document, so that only one syntax tree at a time is in memory: it is many times the text.
      const composer = new Composer({
        schema: 'failsafe',
        customTags: (tags) => [...tags, ...kubernetesScalars],
        resolveKnownTags: false,
        merge: true,
        prettyErrors: false,
        uniqueKeys: false,
        logLevel: 'silent',
      });
      const values: YamlDocument[] = [];
      for (const document of composer.compose(soundTokens(text, lines.addNewLine, fail))) {
        values.push(...contentOf(document, lines, fail));
      }
      return values;
    },
    (error) => fail(messageOf(error), 0, error),
  );
}

/**
 * The tokens of a YAML text, up to the first one that has no place where it stands, or lies too deep: each more would be an
 * error or a collection of a thousand times its size. Throws what `fail` makes of it.
 */
export function* soundTokens(
  text: string,
  onNewLine: (offset: number) => void,
  fail: (message: string, offset: number) => Error,
): Generator<CST.Token> {
  let marks = 0;
  for (const token of tokensOf(text, onNewLine, fail)) {
    if (token.type === 'error') {
      throw fail(token.source ? `${token.message}: ${JSON.stringify(token.source)}` : token.message, token.offset);
    }
    if (token.type === 'directive' || token.type === 'doc-end') marks += 1;
    if (marks > yamlLimits.marks) throw fail(`more than ${yamlLimits.marks} marks of documents`, token.offset);
    yield token;
  }
}

/** What the parser makes of a text, whose documents it tells once each has ended. */
function* tokensOf(
  text: string,
  onNewLine: (offset: number) => void,
  fail: (message: string, offset: number) => Error,
): Generator<CST.Token> {
  const parser = new Parser(onNewLine);
  onNewLine(0);
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    offset += lexeme.length;
    // The document and a scalar in the innermost collection are on the stack as well.
    if (parser.stack.length > yamlLimits.depth + 2) throw fail(tooDeep, Math.min(offset, text.length));
  }
  yield* parser.end();
}

const tooDeep = `nested more than ${yamlLimits.depth} deep`;

type Fail = (message: string, offset: number, cause?: unknown) => FormatError;

function contentOf(document: Document.Parsed, lines: LineCounter, fail: Fail): YamlDocument[] {
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) throw fail(problem.message, problem.pos[0], problem);
  if (!document.contents) return [];
  const start = (document.contents as ParsedNode).range[0];
  checkNodes(document, fail, start);
  const value: unknown = guarded(
    () => document.toJS({ maxAliasCount: yamlLimits.aliases }),
    (error) => fail(messageOf(error), start, error),
  );
  const excess = excessOf(value);
  if (excess) throw fail(excess, start);
  return value === null ? [] : [{ value, line: lines.linePos(start).line }];
}

/** Checks here what the parser would check in quadratic time: keys are compared through a set. */
function checkNodes(document: Document.Parsed, fail: Fail, start: number): void {
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases += 1;
      if (aliases > yamlLimits.aliases) throw fail(`more than ${yamlLimits.aliases} aliases`, start);
    },
    Map: (_, map) => {
      const keys = new Set<string>();
      for (const { key } of map.items) {
        const offset = (key as ParsedNode | null)?.range?.[0] ?? start;
        if (isAlias(key) || !isScalar(key) || key.value === null) throw fail('a key must be a plain value', offset);
        if (typeof key.value === 'symbol') continue;
        const name = String(key.value);
        if (keys.has(name)) throw fail(`the key ${JSON.stringify(name)} is there twice`, offset);
        keys.add(name);
      }
    },
  });
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

function guarded<T>(work: () => T, onError: (error: unknown) => FormatError): T {
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
