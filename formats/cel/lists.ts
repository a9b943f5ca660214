import { calculate } from './arithmetic.ts';
import { CelError } from './budget.ts';
import { compare, equals } from './compare.ts';
import type { CelFunctions } from './function.ts';
import type { CelValue } from './values.ts';

/**
 * Functions of lists and mappings: those of CEL, and those of Kubernetes (k8s.io/apiserver, "Kubernetes list library").
 */
export const lists: CelFunctions = {
  size: { apply: ([one], budget) => sizeOf(one!, (length) => budget.spendText(length)) },
  '.size': { apply: ([one], budget) => sizeOf(one!, (length) => budget.spendText(length)) },
  '.isSorted': {
    signatures: ['list.isSorted(): bool'],
    apply: ([one], budget) => {
      if (!isList(one)) return undefined;
      return one.every((entry, index) => index === 0 || compare(one[index - 1]!, entry, budget) <= 0);
    },
  },
  '.sum': {
    signatures: ['list.sum(): dyn'],
    apply: ([one], budget) => {
      if (!isList(one)) return undefined;
      budget.spend(one.length);
      return one.slice(1).reduce<CelValue>((sum, entry) => calculate('+', sum, entry, budget), one[0] ?? 0n);
    },
  },
  '.min': {
    signatures: ['list.min(): dyn'],
    apply: ([one], budget) => extreme(one, (a, b) => compare(a, b, budget) < 0),
  },
  '.max': {
    signatures: ['list.max(): dyn'],
    apply: ([one], budget) => extreme(one, (a, b) => compare(a, b, budget) > 0),
  },
  '.indexOf': {
    signatures: ['list.indexOf(dyn): int'],
    apply: ([one, sought, from], budget) => {
      if (typeof one === 'string' && typeof sought === 'string') return textIndex(one, sought, from, false);
      if (!isList(one) || sought === undefined) return undefined;
      return BigInt(one.findIndex((entry) => equals(entry, sought, budget)));
    },
  },
  '.lastIndexOf': {
    signatures: ['list.lastIndexOf(dyn): int'],
    apply: ([one, sought, from], budget) => {
      if (typeof one === 'string' && typeof sought === 'string') return textIndex(one, sought, from, true);
      if (!isList(one) || sought === undefined) return undefined;
      return BigInt(one.findLastIndex((entry) => equals(entry, sought, budget)));
    },
  },
};

function isList(value: CelValue | undefined): value is readonly CelValue[] {
  return Array.isArray(value);
}

function sizeOf(one: CelValue, spend: (length: number) => void): bigint | undefined {
  if (typeof one === 'string') {
    spend(one.length);
    return BigInt([...one].length);
  }
  if (one instanceof Uint8Array) return BigInt(one.length);
  if (one instanceof Map) return BigInt(one.size);
  return Array.isArray(one) ? BigInt(one.length) : undefined;
}

function extreme(one: CelValue | undefined, isBetter: (a: CelValue, b: CelValue) => boolean): CelValue | undefined {
  if (!isList(one)) return undefined;
  if (one.length === 0) throw new CelError('the list is empty');
  return one.reduce((best, entry) => (isBetter(entry, best) ? entry : best));
}

/** Finds a part of a text, whose places are counted in characters. */
function textIndex(one: string, sought: string, from: CelValue | undefined, last: boolean): bigint | undefined {
  const characters = [...one];
  if (from !== undefined && typeof from !== 'bigint') return undefined;
  if (from !== undefined && (from < 0n || from > BigInt(characters.length))) throw new CelError('index out of range');
  const units = (count: number): number => characters.slice(0, count).join('').length;
  const start = from === undefined ? (last ? one.length : 0) : units(Number(from));
  const at = last ? one.lastIndexOf(sought, start) : one.indexOf(sought, start);
  return at < 0 ? -1n : BigInt([...one.slice(0, at)].length);
}
