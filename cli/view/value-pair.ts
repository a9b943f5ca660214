import { exactJson } from '../../lib/command.ts';
import { plain } from '../io.ts';

/** How much of what two values have in common is shown before they differ. */
const BEFORE = 12;

/**
 * Writes two values that differ as JSON, at most `most` characters of each. What is cut away is `…`. Values that would
 * look alike cut at the end are shown from shortly before the place where they differ.
 */
export function valuePair(from: unknown, to: unknown, most: number): readonly [string, string] {
  const [one, other] = [valueText(from), valueText(to)];
  const isAlike = one !== other && cutAt(one, 0, most) === cutAt(other, 0, most);
  const start = isAlike ? Math.max(0, firstDifference(one, other) - BEFORE) : 0;
  return [plain(cutAt(one, start, most)), plain(cutAt(other, start, most))];
}

function valueText(value: unknown): string {
  return value === undefined ? '(none)' : exactJson(value);
}

function cutAt(text: string, start: number, most: number): string {
  const [from, to] = [whole(text, start), whole(text, Math.min(text.length, start + most))];
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

/** The same place, or the one before it where it would tear a character of two code units apart. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && at > 0 ? at - 1 : at;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
