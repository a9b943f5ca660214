import { FormatError } from '../error.ts';

interface Rule {
  readonly negated: boolean;
  /** Applies to folders alone. */
  readonly folders: boolean;
  /** Matches the last name of a path, not the whole. */
  readonly base: boolean;
  readonly matches: (text: string) => boolean;
}

/** Whether a path, relative to the chart, is left out of it; what a left out folder holds is left out too. */
export type Ignored = (path: string, isFolder: boolean) => boolean;

// Helm adds this one to every chart: hidden files are no templates.
const always = 'templates/.?*';

/**
 * Reads a `.helmignore` file: one pattern a line, `#` for comments; `*`, `?` and `[…]` match within a name; a pattern
 * with `/` in front or in the middle matches the whole path, any other the last name; `/` at its end limits it to
 * folders; `!` in front inverts it, which in Helm means that all it does not match is left out. Throws `FormatError`
 * `chart-invalid` where Helm refuses a line, such as one with `**` (Helm, "The .helmignore file").
 */
export function parseIgnore(text: string): Ignored {
  const rules = [...text.split('\n'), always].flatMap((line, at) => ruleOf(line.trim(), at + 1));
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const { negated, folders, base, matches } of rules) {
      const applies = (isFolder || !folders) && matches(base ? name : path);
      if (applies !== negated) return true;
    }
    return false;
  };
}

function ruleOf(line: string, number: number): Rule[] {
  if (line === '' || line.startsWith('#')) return [];
  if (line.includes('**')) {
    throw new FormatError('chart-invalid', `.helmignore:${number}: Helm does not know the pattern **`);
  }
  const negated = line.startsWith('!');
  const folders = line.endsWith('/');
  const body = line.slice(negated ? 1 : 0, folders ? -1 : undefined);
  const rooted = body.startsWith('/');
  const glob = rooted ? body.slice(1) : body;
  return [{ negated, folders, base: !rooted && !body.includes('/'), matches: compiled(glob, number) }];
}

type Token = ((character: string) => boolean) | '*';

/** A pattern of Go's `path/filepath.Match` as a test; neither `*` nor `?` matches `/`. */
function compiled(glob: string, number: number): (text: string) => boolean {
  const scanner = /\\(.)|\[(\^?)((?:\\.|[^\]\\])+)\]|(\*)|(\?)|([^\\[])/suy;
  const tokens: Token[] = [];
  for (let at = 0; at < glob.length; at = scanner.lastIndex) {
    scanner.lastIndex = at;
    const match = scanner.exec(glob);
    const [, escaped, not, set, star, any, plain] = match ?? [];
    const isIn = set === undefined ? undefined : setOf(set);
    if (!match || (set !== undefined && !isIn)) {
      throw new FormatError('chart-invalid', `.helmignore:${number}: the pattern ${glob} is not well-formed`);
    }
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
