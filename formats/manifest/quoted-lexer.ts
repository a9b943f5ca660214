import { Lexer } from 'yaml';

/** What is used of a lexer besides what its types show. */
interface Inner {
  /** How far a line has to be indented to belong to the collection that is read. */
  indentNext: number;
  parseQuotedScalar(): Generator<string, unknown>;
}

/**
 * Returns what cuts a YAML text into tokens, and lets a quoted text continue at any indentation, as Go's reader does,
 * and so every tool of Kubernetes. YAML itself asks for more spaces than its key has (YAML 1.2.2, section 7.3), but
 * tools write such texts.
 */
export function quotedLexer(): Lexer {
  const lexer = new Lexer();
  const inner = lexer as unknown as Inner;
  const read = inner.parseQuotedScalar;
  inner.parseQuotedScalar = function* (): Generator<string, unknown> {
    const { indentNext } = inner;
    inner.indentNext = 0;
    try {
      return yield* read.call(inner) as Generator<string, unknown>;
    } finally {
      inner.indentNext = indentNext;
    }
  };
  return lexer;
}
