import { Pattern } from '../json-schema/pattern.ts';
import { PatternError } from '../json-schema/pattern-syntax.ts';
import { type CelBudget, CelError } from './budget.ts';
import type { CelFunction, CelFunctions } from './function.ts';
import type { CelValue } from './values.ts';

/** Decides something about two texts. */
function about(decide: (one: string, other: string) => boolean): CelFunction {
  return {
    apply: ([one, other], budget) => {
      if (typeof one !== 'string' || typeof other !== 'string') return undefined;
      budget.spendText(one.length + other.length);
      return decide(one, other);
    },
  };
}

/** Makes a text of a text. */
function made(signature: string, make: (one: string) => string): CelFunction {
  return {
    signatures: [signature],
    apply: ([one], budget) => {
      if (typeof one !== 'string') return undefined;
      budget.spendText(one.length);
      return make(one);
    },
  };
}

/**
 * Functions of texts: those of CEL, and the extension "strings" that Kubernetes has. Places are counted in characters.
 */
export const texts: CelFunctions = {
  '.contains': about((one, other) => one.includes(other)),
  '.startsWith': about((one, other) => one.startsWith(other)),
  '.endsWith': about((one, other) => one.endsWith(other)),
  '.matches': { apply: ([one, pattern], budget) => matches(one, pattern, budget) },
  matches: {
    signatures: ['matches(string, string): bool'],
    apply: ([one, pattern], budget) => matches(one, pattern, budget),
  },
  '.lowerAscii': made('', (one) => one.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  '.upperAscii': made('', (one) => one.replace(/[a-z]/g, (letter) => letter.toUpperCase())),
  '.trim': made('', (one) => one.trim()),
  '.charAt': {
    signatures: ['string.charAt(int): string'],
    apply: ([one, at], budget) => {
      if (typeof one !== 'string' || typeof at !== 'bigint') return undefined;
      const characters = charactersOf(one, budget);
      if (at < 0n || at > BigInt(characters.length)) throw new CelError('index out of range');
      return characters[Number(at)] ?? '';
    },
  },
  '.substring': {
    apply: ([one, start, end], budget) => {
      if (typeof one !== 'string' || typeof start !== 'bigint') return undefined;
      const characters = charactersOf(one, budget);
      const to = end ?? BigInt(characters.length);
      if (typeof to !== 'bigint') return undefined;
      if (start < 0n || to < start || to > BigInt(characters.length)) throw new CelError('index out of range');
      return characters.slice(Number(start), Number(to)).join('');
    },
  },
  '.replace': {
    signatures: ['string.replace(string, string): string', 'string.replace(string, string, int): string'],
    apply: ([one, sought, other, count = -1n], budget) => {
      if (typeof one !== 'string' || typeof sought !== 'string') return undefined;
      if (typeof other !== 'string' || typeof count !== 'bigint') return undefined;
      const parts = split(one, sought, budget);
      const least = count < 0n ? parts.length - 1 : Math.min(Number(count), parts.length - 1);
      budget.spendText(least * other.length);
      return parts.slice(1).reduce((text, part, at) => text + (at < least ? other : sought) + part, parts[0] ?? '');
    },
  },
  '.split': {
    apply: ([one, separator, limit = -1n], budget) => {
      if (typeof one !== 'string' || typeof separator !== 'string' || typeof limit !== 'bigint') return undefined;
      if (limit === 0n) return [];
      const parts = split(one, separator, budget);
      if (limit < 0n || BigInt(parts.length) <= limit) return parts;
      const most = Number(limit) - 1;
      return [...parts.slice(0, most), parts.slice(most).join(separator)];
    },
  },
  '.join': {
    apply: ([one, separator = ''], budget) => {
      if (!Array.isArray(one) || typeof separator !== 'string') return undefined;
      if (one.some((part) => typeof part !== 'string')) return undefined;
      for (const part of one as readonly string[]) budget.spendText(part.length + separator.length);
      return one.join(separator);
    },
  },
};

function charactersOf(text: string, budget: CelBudget): string[] {
  budget.spendText(text.length * 10);
  return [...text];
}

function split(text: string, separator: string, budget: CelBudget): string[] {
  budget.spendText(text.length * 10);
  return separator === '' ? [...text] : text.split(separator);
}

/** Searches in time linear in the text, whatever the pattern. */
function matches(one: CelValue | undefined, source: CelValue | undefined, budget: CelBudget): boolean | undefined {
  if (typeof one !== 'string' || typeof source !== 'string') return undefined;
  budget.spendText(source.length * 10);
  try {
    const pattern = new Pattern(source);
    budget.spend(pattern.size);
    budget.spend(Math.ceil((pattern.size * one.length) / 5));
    return pattern.isIn(one);
  } catch (error) {
    if (error instanceof PatternError) throw new CelError(`the pattern "${source.slice(0, 60)}" ${error.message}`);
    throw error;
  }
}
