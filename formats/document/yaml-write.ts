import { parseDocument } from 'yaml';

/** How a scalar is written: as it is, or in quotes of either kind. */
export type ScalarStyle = 'plain' | 'single' | 'double';

/** What can be written: texts, and lists and mappings of them. */
export type Writable = string | readonly Writable[] | { readonly [name: string]: Writable };

/**
 * Writes a text as a scalar of a YAML document, in `style` where every reader takes that for the same text, otherwise
 * in double quotes.
 */
export function yamlScalar(value: string, style: ScalarStyle): string {
  if (style === 'plain' && isPlain(value)) return value;
  if (style === 'single' && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value);
}

/** Whether readers of YAML 1.1 and 1.2 take a text without quotes for just that text, in flow collections too. */
function isPlain(value: string): boolean {
  if (!/^[A-Za-z0-9_./^~][A-Za-z0-9_./@+~^-]*$/.test(value)) return false;
  return (['1.1', '1.2'] as const).every((version) => parseDocument(value, { version }).toJS() === value);
}

/** Writes a value on one line: `{name: web, archives: [web.iso]}`; with `json`, as JSON does. */
export function yamlFlow(value: Writable, style: ScalarStyle, json: boolean): string {
  if (typeof value === 'string') return yamlScalar(value, json ? 'double' : style);
  if (isList(value)) return `[${value.map((one) => yamlFlow(one, style, json)).join(', ')}]`;
  const pairs = Object.entries(value);
  const key = (name: string): string => yamlScalar(name, json ? 'double' : 'plain');
  return `{${pairs.map(([name, one]) => `${key(name)}: ${yamlFlow(one, style, json)}`).join(', ')}}`;
}

/**
 * Writes a list or a mapping as lines without their ends, each indented by `indent` blanks, and by two more for each
 * level.
 */
export function yamlBlock(value: Exclude<Writable, string>, indent: number, style: ScalarStyle): string[] {
  const lead = ' '.repeat(indent);
  if (isList(value)) {
    return value.flatMap((one) => {
      if (typeof one === 'string') return [`${lead}- ${yamlScalar(one, style)}`];
      const [first, ...rest] = yamlBlock(one, indent + 2, style);
      return [`${lead}- ${first!.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value).flatMap(([name, one]) => {
    const key = `${lead}${yamlScalar(name, 'plain')}:`;
    return typeof one === 'string' ? [`${key} ${yamlScalar(one, style)}`] : [key, ...yamlBlock(one, indent + 2, style)];
  });
}

function isList(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}
