import type { ArrowFunctionExpression, Function as FunctionNode } from 'oxc-parser';
import { lineOf, type Sources, visit } from './code.ts';

/** Where a function begins, and how many lines it has, from its head to its closing brace. */
export interface FunctionSize {
  readonly line: number;
  readonly lines: number;
}

/** Counts the lines of a file. */
export function linesOf(source: string): number {
  return source.replace(/\n$/, '').split('\n').length;
}

/** Measures every function, method and arrow that has a body. */
export function functionsOf(source: string): FunctionSize[] {
  const sizes: FunctionSize[] = [];
  const measure = ({ start, end }: FunctionNode | ArrowFunctionExpression): void => {
    sizes.push({ line: lineOf(source, start), lines: linesOf(source.slice(start, end)) });
  };
  visit(source, {
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  });
  return sizes;
}

/** Finds every function of more than `limit` lines, as `path:line: N lines`. */
export function longFunctions(sources: Sources, limit: number): string[] {
  return [...sources].flatMap(([path, source]) =>
    functionsOf(source)
      .filter(({ lines }) => lines > limit)
      .map(({ line, lines }) => `${path}:${line}: a function of ${lines} lines`),
  );
}
