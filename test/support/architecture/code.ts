import { type Comment, type ParseResult, type Program, parseSync, Visitor, type VisitorObject } from 'oxc-parser';

/** Sources by path from the top of the checkout, `/` between names. */
export type Sources = ReadonlyMap<string, string>;

/** A source as its parser sees it. Offsets are indices into the text of the source. */
export interface Code {
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** All checks read the same few sources, each of which is parsed once. */
const known = new Map<string, Code>();

/** Parses a module of TypeScript. Throws where it is none, so that no check passes over what nobody could read. */
export function parsed(source: string): Code {
  const before = known.get(source);
  if (before !== undefined) return before;
  const result = parseSync('module.ts', source);
  if (result.errors.length > 0) throw new SyntaxError(messageOf(result, source));
  const code = { program: result.program, comments: result.comments };
  known.set(source, code);
  return code;
}

/** Calls `visitor` with each node of its kinds, in the order of the source. */
export function visit(source: string, visitor: VisitorObject): void {
  new Visitor(visitor).visit(parsed(source).program);
}

/** Tells the line, from 1, that `offset` lies on. */
export function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

function messageOf({ errors }: ParseResult, source: string): string {
  const [{ message, labels }] = errors as [ParseResult['errors'][number]];
  return `line ${lineOf(source, labels[0]?.start ?? 0)}: ${message}`;
}
