/** Sources by path from the top of the checkout, `/` between names. */
export type Sources = ReadonlyMap<string, string>;

/**
 * TypeScript with every comment, and the inside of every string, template and regular expression, blanked: what is
 * left can be searched for words and braces, and each character is still where it was. `onPattern` is told where regular
 * expressions stand, their slashes included.
 */
export function bare(source: string, onPattern: (start: number, end: number) => void = () => undefined): string {
  const out = source.split('');
  const blank = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) if (out[at] !== '\n') out[at] = ' ';
  };
  /** For each `${` that is open, how deep in braces it lies. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  while (at < source.length) {
    const two = source.slice(at, at + 2);
    const one = source[at]!;
    let end = at + 1;
    if (two === '//') {
      end = ends(source, at, '\n');
      blank(at, end);
    } else if (two === '/*') {
      end = ends(source, at + 2, '*/') + 2;
      blank(at, end);
    } else if (one === "'" || one === '"') {
      end = quoted(source, at + 1, one);
      blank(at + 1, end - 1);
    } else if (one === '/' && startsRegex(out, at)) {
      end = regex(source, at + 1);
      onPattern(at, end);
      blank(at + 1, end - 1);
    } else if (one === '`' || (one === '}' && templates.at(-1) === depth)) {
      if (one === '}') templates.pop();
      const part = template(source, at + 1);
      end = part.end;
      blank(at, end);
      if (part.opens) templates.push(depth);
    } else if (one === '{') depth += 1;
    else if (one === '}') depth -= 1;
    at = end;
  }
  return out.join('');
}

/** The line, from 1, that `offset` lies on. */
export function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

/** The offset after the bracket that closes the one at `open`; the end where none does. */
export function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if ('([{'.includes(code[at]!)) depth += 1;
    else if (')]}'.includes(code[at]!)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return code.length;
}

function ends(source: string, from: number, mark: string): number {
  const at = source.indexOf(mark, from);
  return at < 0 ? source.length : at;
}

function quoted(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === quote || source[at] === '\n') return at + 1;
  }
  return source.length;
}

function regex(source: string, from: number): number {
  let inClass = false;
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') inClass = true;
    else if (source[at] === ']') inClass = false;
    else if (source[at] === '\n' || (source[at] === '/' && !inClass)) return at + 1;
  }
  return source.length;
}

function template(source: string, from: number): { end: number; opens: boolean } {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '`') return { end: at + 1, opens: false };
    else if (source.startsWith('${', at)) return { end: at + 2, opens: true };
  }
  return { end: source.length, opens: false };
}

/** Whether a slash begins a regular expression: after an operand it divides. */
function startsRegex(code: readonly string[], at: number): boolean {
  const before = code
    .slice(Math.max(0, at - 40), at)
    .join('')
    .trimEnd();
  return /(?:^|[(,=:[!&|?{};+>]|\b(?:return|typeof|case|of|in))$/.test(before);
}
