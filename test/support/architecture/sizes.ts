import { bare, closing, lineOf, type Sources } from './code.ts';

/** A function's body and how many lines it has, from its head to its closing brace. */
export interface FunctionSize {
  readonly line: number;
  readonly lines: number;
}

const notMethods = /^(?:if|for|while|switch|catch|return|await|function|throw|new|typeof|yield|super|import)$/;

/** How many lines a file has. */
export function linesOf(source: string): number {
  return source.replace(/\n$/, '').split('\n').length;
}

/** The middle one of `values`, which is the lower of two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}

/** Every function, method and arrow with a body in braces. Found by brackets, so only nearly right. */
export function functionsOf(source: string): FunctionSize[] {
  const code = bare(source);
  const sizes: FunctionSize[] = [];
  const add = (start: number, open: number | undefined): void => {
    if (open === undefined) return;
    const line = lineOf(code, start);
    sizes.push({ line, lines: lineOf(code, closing(code, open) - 1) - line + 1 });
  };
  for (const { 0: head, index } of code.matchAll(/\bfunction\b[^()]*\(/g)) {
    add(index, bodyAfter(code, index + head.length - 1));
  }
  for (const { 0: head, 1: name, index } of code.matchAll(/^[ \t]+(?:\w+ )*?[*#]?([\w$]+)(?:<[^()]*>)?\(/gm)) {
    if (!notMethods.test(name!) && !/\bfunction\b/.test(head)) add(index, bodyAfter(code, index + head.length - 1));
  }
  for (const { 0: arrow, index } of code.matchAll(/=>\s*\{/g)) add(index, index + arrow.length - 1);
  return sizes;
}

/** Every function of more than `limit` lines, as `path:line: N lines`. */
export function longFunctions(sources: Sources, limit: number): string[] {
  return [...sources].flatMap(([path, source]) =>
    functionsOf(source)
      .filter(({ lines }) => lines > limit)
      .map(({ line, lines }) => `${path}:${line}: a function of ${lines} lines`),
  );
}

/** Where the body begins of a function whose parameters begin at `open`: after a result type, if there is one. */
function bodyAfter(code: string, open: number): number | undefined {
  for (let at = closing(code, open); at < code.length; at += 1) {
    const before = code.slice(open, at).trimEnd();
    if (code[at] === '{') {
      if (!/(?:[:|&,<([=]|=>|\bis)$/.test(before)) return at;
      at = closing(code, at) - 1;
    } else if (code[at] === '(') at = closing(code, at) - 1;
    else if (/[;)\]},]/.test(code[at]!)) return undefined;
    else if (before.endsWith(')') && before.length === closing(code, open) - open && !/[\s:]/.test(code[at]!)) {
      return undefined;
    }
  }
  return undefined;
}
