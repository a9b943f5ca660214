type Token = ((character: string) => boolean) | '*';

/**
 * Returns a pattern of Go's `path/filepath.Match` as a test of texts; neither `*` nor `?` matches `/`. Undefined for a
 * pattern that is not well-formed.
 */
export function globTest(glob: string): ((text: string) => boolean) | undefined {
  const scanner = /\\(.)|\[(\^?)((?:\\.|[^\]\\])+)\]|(\*)|(\?)|([^\\[])/suy;
  const tokens: Token[] = [];
  for (let at = 0; at < glob.length; at = scanner.lastIndex) {
    scanner.lastIndex = at;
    const match = scanner.exec(glob);
    const [, escaped, not, set, star, any, plain] = match ?? [];
    const isIn = set === undefined ? undefined : setOf(set);
    if (!match || (set !== undefined && !isIn)) return undefined;
    if (star) tokens.push('*');
    else if (any) tokens.push((one) => one !== '/');
    else if (isIn) tokens.push((one) => one !== '/' && isIn(one) === (not === ''));
    else tokens.push((one) => one === (escaped ?? plain));
  }
  return (text) => matches(tokens, [...text]);
}

/** A test of what stands in brackets, characters and ranges of them; undefined where it is not well-formed. */
function setOf(content: string): ((character: string) => boolean) | undefined {
  const ranges: (readonly [from: number, to: number])[] = [];
  const units = [...content.matchAll(/\\(.)|(.)/gsu)];
  for (let at = 0; at < units.length; at += 1) {
    const [from, isRange] = [units[at]!, units[at + 1]?.[2] === '-'];
    const to = isRange ? units[at + 2] : from;
    const [first, last] = [from, to].map((unit) => (unit?.[1] ?? unit?.[2])?.codePointAt(0));
    if (first === undefined || last === undefined || from[2] === '-' || last < first) return undefined;
    ranges.push([first, last]);
    if (isRange) at += 2;
  }
  return (character) =>
    ranges.some(([from, to]) => from <= character.codePointAt(0)! && character.codePointAt(0)! <= to);
}

/** Goes back to the last `*` only, so that the time is at most the product of both lengths. */
function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  let star: { token: number; at: number } | undefined;
  let token = 0;
  let at = 0;
  while (at < text.length) {
    const wanted = tokens[token];
    if (wanted === '*') {
      star = { token, at };
      token += 1;
    } else if (wanted?.(text[at]!)) {
      token += 1;
      at += 1;
    } else if (star && text[star.at] !== '/') {
      star.at += 1;
      token = star.token + 1;
      at = star.at;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every((rest) => rest === '*');
}
