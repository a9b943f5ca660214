import type { Explanation } from '../../lib/index.ts';
import type { Style } from './style.ts';

const kinds: Readonly<Record<Explanation['kind'], string>> = {
  error: 'an error',
  verify: 'a finding of "solpack verify"',
  check: 'a finding of "solpack check"',
  reason: 'a reason that a format gives, in parentheses',
};

/** Tells a person what codes mean: of one all, of many one line each. */
export function explainView({ codes }: { readonly codes: readonly Explanation[] }, style: Style): string[] {
  const isOne = new Set(codes.map(({ code }) => code)).size === 1;
  if (!isOne) return codes.map(({ code, meaning }) => `${style.bold(code)}  ${meaning}`);
  return codes.flatMap(({ code, kind, meaning, advice, exit }) => [
    `${style.bold(code)}  ${kinds[kind]}${exit === undefined ? '' : `; the command ends with ${exit}`}`,
    `  ${meaning}.`,
    `  ${advice}`,
  ]);
}
