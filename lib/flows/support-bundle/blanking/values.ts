/** Most characters in which the end of a value is looked for. */
const MOST = 64 * 1024;
/** As many are blanked of a list or a mapping whose end is not found. */
const OPEN = 4096;

/** Where a name stands, and what stands between it and its value. */
export interface Assigned {
  /** Where the name begins, with its quotation mark. */
  readonly start: number;
  /** Where the value begins. */
  readonly at: number;
  readonly separator: string;
}

/** What to blank: from a character on, up to another one. */
export type Span = readonly [start: number, end: number];

const quotes = /\\*["'`]/y;
/** What YAML may have before a value: an anchor, a tag (YAML 1.2.2, section 6.9). */
const properties = /(?:[&!][\w!.:/-]*[ \t]+)*/y;
const token = /[^\s"'\\,;&]+/y;
const inFlow = /[^,}\]\n]+/y;
const beforeName = /^[ \t]*(?:(?:[-#>*?]|\/\/)[ \t]+)*(?:export[ \t]+|set[ \t]+)?$/;
/** What says that a block of YAML follows. */
const header = /^(?:[|>][+-]?\d?[+-]?)?[ \t]*(?:#.*)?$/;
const another = /[ \t][\w.-]+=/;

/**
 * Finds the value of what is assigned to a name: within quotation marks, a whole list or mapping, or a word; the rest
 * of the line where the name begins that, with the lines of YAML that continue with it. Undefined where there is none.
 */
export function valueSpan(text: string, { start, at: begin, separator }: Assigned): Span | undefined {
  const at = matchEnd(properties, text, begin);
  const quoted = matchEnd(quotes, text, at);
  if (quoted > at) return quotedSpan(text, at, quoted);
  const first = text[at];
  if (first === '[' || first === '{') return [at, bracketEnd(text, at)];
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(Math.max(line, start - 256), start);
  const isYaml = separator === ':';
  if (start - line <= 256 && beforeName.test(before)) {
    const end = lineEnd(text, at);
    // What stands in the lines below is a block, and no value of this line.
    if (header.test(text.slice(at, Math.min(end, at + 32)))) return undefined;
    if (isYaml) return filled(text, at, continued(text, end, indentation(text, line)));
    if (!another.test(text.slice(at, Math.min(end, at + OPEN)))) return filled(text, at, end);
  } else if (isYaml && /[{,[]\s*$/.test(before.slice(-8))) {
    return filled(text, at, matchEnd(inFlow, text, at));
  }
  return filled(text, at, matchEnd(token, text, at));
}

function filled(text: string, start: number, end: number): Span | undefined {
  return text.slice(start, end).trim() === '' ? undefined : [start, end];
}

function quotedSpan(text: string, at: number, open: number): Span {
  const mark = text.slice(at, open);
  const triple = mark.repeat(3);
  if (mark.length === 1 && text.startsWith(triple, at)) {
    const end = text.indexOf(triple, at + 3);
    return [at + 3, end < 0 || end - at > MOST ? Math.min(text.length, at + MOST) : end];
  }
  for (let end = text.indexOf(mark, open); end >= 0 && end - at < MOST; end = text.indexOf(mark, end + mark.length)) {
    if (mark === "'" && text[end + 1] === "'") end += 1;
    else if (text[end - 1] !== '\\') return [open, end];
  }
  return [open, lineEnd(text, open)];
}

/** Returns where a list or a mapping ends (JSON, YAML's flow style, TOML). */
function bracketEnd(text: string, at: number): number {
  let depth = 0;
  let mark = '';
  const most = Math.min(text.length, at + MOST);
  for (let end = at; end < most; end += 1) {
    const one = text[end]!;
    if (mark !== '') {
      if (one === '\\') end += 1;
      else if (one === mark) mark = '';
    } else if (one === '"') mark = one;
    else if (one === '[' || one === '{') depth += 1;
    else if (one === ']' || one === '}') {
      depth -= 1;
      if (depth === 0) return end + 1;
    }
  }
  return Math.min(text.length, at + OPEN);
}

/** Returns where the lines end that are indented more than the line above them. */
function continued(text: string, end: number, indent: number): number {
  let last = end;
  while (last < text.length) {
    const next = last + 1;
    const own = indentation(text, next);
    if (own <= indent || next + own >= text.length || text[next + own] === '\n') return last;
    last = lineEnd(text, next);
  }
  return last;
}

function indentation(text: string, line: number): number {
  return matchEnd(blanks, text, line) - line;
}

const blanks = /[ \t]*/y;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
