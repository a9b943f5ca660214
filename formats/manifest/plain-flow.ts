/** What stands for itself in a collection that is written in a line: words, and text in quotes. */
const SCALAR = /^(?:"(?:[^"\\]|\\["\\/bfnrt])*"|'(?:[^']|'')*'|[\w./][\w./-]*(?: [\w./-]+)*)/;
const KEY = /^([A-Za-z_][\w./-]{0,250}): +/;

/** How plain scalars are resolved, and what throws for what is not read here. */
export interface FlowRules {
  readonly scalarOf: (text: string) => unknown;
  readonly isKey: (text: string, map: object) => boolean;
  readonly refuse: () => never;
  /** Is called with each value. */
  readonly count: () => void;
}

/** Reads text in quotes of one line; undefined for anything else. */
export function quoted(text: string): string | undefined {
  if (SCALAR.exec(text)?.[0] !== text) return undefined;
  if (text.startsWith('"')) return JSON.parse(text) as string;
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : undefined;
}

/** Reads a collection of one line (YAML 1.2.2, 7.4), as far as it is written plainly; refuses every other text. */
export function plainFlow(text: string, depth: number, rules: FlowRules): unknown {
  const [value, rest] = readValue(text, depth, rules);
  return rest === '' ? value : rules.refuse();
}

type Read = readonly [value: unknown, rest: string];

function readValue(text: string, depth: number, rules: FlowRules): Read {
  if (depth < 0) rules.refuse();
  if (text.startsWith('{')) return mappingOf(text.slice(1), depth, rules);
  if (text.startsWith('[')) return sequenceOf(text.slice(1), depth, rules);
  const [scalar] = SCALAR.exec(text) ?? rules.refuse();
  return [quoted(scalar) ?? rules.scalarOf(scalar), text.slice(scalar.length)];
}

function mappingOf(text: string, depth: number, rules: FlowRules): Read {
  const map: Record<string, unknown> = {};
  const rest = itemsOf(text, '}', rules, (item) => {
    const [stated, key = ''] = KEY.exec(item) ?? rules.refuse();
    if (!rules.isKey(key, map)) rules.refuse();
    const [value, after] = readValue(item.slice(stated.length), depth - 1, rules);
    map[key] = value;
    return after;
  });
  return [map, rest];
}

function sequenceOf(text: string, depth: number, rules: FlowRules): Read {
  const items: unknown[] = [];
  const rest = itemsOf(text, ']', rules, (item) => {
    const [value, after] = readValue(item, depth - 1, rules);
    items.push(value);
    return after;
  });
  return [items, rest];
}

/** Reads items up to `end`, each by `read`, which returns the position after it. */
function itemsOf(text: string, end: string, { refuse, count }: FlowRules, read: (item: string) => string): string {
  let rest = withoutStart(text);
  if (rest.startsWith(end)) return rest.slice(1);
  for (;;) {
    count();
    rest = withoutStart(read(rest));
    if (rest.startsWith(end)) return rest.slice(1);
    if (!rest.startsWith(', ')) refuse();
    rest = withoutStart(rest.slice(1));
  }
}

function withoutStart(text: string): string {
  let start = 0;
  while (text[start] === ' ') start += 1;
  return text.slice(start);
}
