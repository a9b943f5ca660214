import type { ASTNode } from '@marcbachmann/cel-js';
import { type CelProgram, operandsOf } from './compile.ts';
import { isIteration } from './iterations.ts';

/** A way into an object, as an expression writes it: names of fields, and numbers of places in lists. */
export type CelPath = readonly (string | number)[];

/** How far a selection can be followed, and whether it continues from there. */
interface Selected {
  readonly path: CelPath;
  readonly isOpen: boolean;
}

/**
 * Lists what an expression takes for granted of `self`: the fields that have to be there for it to have a value, each
 * once. A selection is reported as far as it is the same for every object. What the expression asks for before it looks
 * (`has`, `in`, `.?`) is left out.
 */
export function requiredSelections({ root }: CelProgram): CelPath[] {
  const found = new Map<string, CelPath>();
  const asked: CelPath[] = [];
  const visit = (node: ASTNode): void => {
    const selected = selectionOf(node);
    if (selected !== undefined) {
      if (selected.path.length > 0) found.set(JSON.stringify(selected.path), selected.path);
      visitKeys(node);
      return;
    }
    const question = questionIn(node);
    if (question !== undefined) {
      asked.push(question.path);
      visit(question.base);
      return;
    }
    for (const part of partsOf(node)) visit(part);
  };
  const visitKeys = (node: ASTNode): void => {
    if (node.op === '[]' || node.op === '[?]') visit(node.args[1]);
    if (node.op !== 'id') visitKeys(operandsOf(node)[0]!);
  };
  visit(root);
  const isAsked = (path: CelPath): boolean =>
    asked.some((one) => one.length <= path.length && one.every((step, at) => step === path[at]));
  return [...found.values()].filter((path) => !isAsked(path));
}

/** What a part of an expression selects of `self`; undefined where it is none of that. */
function selectionOf(node: ASTNode): Selected | undefined {
  if (node.op === 'id') return node.args === 'self' ? { path: [], isOpen: false } : undefined;
  if (node.op !== '.' && node.op !== '.?' && node.op !== '[]' && node.op !== '[?]') return undefined;
  const base = selectionOf(node.args[0]);
  if (base === undefined || base.isOpen) return base;
  const step = node.op === '.' ? node.args[1] : node.op === '[]' ? keyOf(node.args[1]) : undefined;
  return step === undefined ? { ...base, isOpen: true } : { path: [...base.path, step], isOpen: false };
}

function keyOf(node: ASTNode): string | number | undefined {
  if (node.op !== 'value') return undefined;
  if (typeof node.args === 'string') return node.args;
  return typeof node.args === 'bigint' ? Number(node.args) : undefined;
}

/** What an expression asks whether it is there: a field of what is there anyway. */
function questionIn(node: ASTNode): { readonly path: CelPath; readonly base: ASTNode } | undefined {
  if (node.op === 'call' && node.args[0] === 'has') {
    const [field] = node.args[1];
    const selected = field && selectionOf(field);
    return selected && !selected.isOpen && field.op === '.' ? { path: selected.path, base: field.args[0] } : undefined;
  }
  if (node.op !== 'in') return undefined;
  const [key, base] = node.args;
  const [step, selected] = [keyOf(key), selectionOf(base)];
  return step === undefined || selected === undefined || selected.isOpen
    ? undefined
    : { path: [...selected.path, step], base };
}

/** The parts of a part that are about the same `self`: a macro may call its variable so too. */
function partsOf(node: ASTNode): readonly ASTNode[] {
  if (node.op !== 'rcall' || !isIteration(node.args[0])) return operandsOf(node);
  const [, over, given] = node.args;
  const isShadowed = given.some((one) => one.op === 'id' && one.args === 'self');
  return isShadowed ? [over] : operandsOf(node);
}
