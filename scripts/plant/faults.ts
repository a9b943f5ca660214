import { parseSync, Visitor } from 'oxc-parser';

/**
 * A place of a source where a fault can be planted: what stands there from `start` to `end`, and what takes its place.
 */
export interface Fault {
  readonly kind: 'flipped comparison' | 'dropped await' | 'skipped check';
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const flipped: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
};

/** Returns every place of a TypeScript source where a fault can be planted, in the order of the source. */
export function faultsIn(source: string): Fault[] {
  const faults: Fault[] = [];
  const visitor = new Visitor({
    BinaryExpression: ({ operator, left, right }) => {
      const other = flipped[operator];
      if (other === undefined) return;
      const at = source.lastIndexOf(operator, right.start - 1);
      if (at >= left.end)
        faults.push({ kind: 'flipped comparison', start: at, end: at + operator.length, text: other });
    },
    ExpressionStatement: ({ expression }) => {
      if (expression.type !== 'AwaitExpression') return;
      faults.push({ kind: 'dropped await', start: expression.start, end: expression.argument.start, text: 'void ' });
    },
    IfStatement: ({ test, consequent, alternate }) => {
      const ends = consequent.type === 'ThrowStatement' || consequent.type === 'ReturnStatement';
      if (ends && !alternate) faults.push({ kind: 'skipped check', start: test.start, end: test.end, text: 'false' });
    },
  });
  visitor.visit(parseSync('module.ts', source).program);
  return faults.sort((a, b) => a.start - b.start);
}

/** Returns the source with a fault in it. */
export function planted(source: string, { start, end, text }: Fault): string {
  return source.slice(0, start) + text + source.slice(end);
}
