import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { parseYaml } from '../manifest/yaml.ts';
import { z } from '../schema.ts';
import { indexLimits, linesOf } from './index-lines.ts';

/** A version of a chart in a repository. */
export interface IndexedChart {
  readonly version: string;
  /** Where it is: absolute, or relative to the repository. The first one counts. */
  readonly urls: readonly string[];
  /** The SHA-256 of the file in hexadecimal digits, where the repository tells it. */
  readonly digest: string | undefined;
}

const words = z.union([z.string(), z.number().transform(String)]);
const entry = z.looseObject({
  version: words,
  urls: z.array(z.string()).min(1),
  digest: z.string().nullish(),
});

/**
 * Reads what the `index.yaml` of a Helm repository says of the chart `name`, in the order of the file; undefined where
 * it does not name the chart (Helm, "The Chart Repository Guide": The index file). Entries that Helm would pass over
 * are left out. The lines of other charts are passed over unparsed and not kept: indexes have tens of megabytes. So it
 * has to be in block style, as Helm writes it, or JSON. Throws `FormatError` `chart-index-invalid`.
 */
export async function readRepositoryIndex(bytes: Bytes, name: string): Promise<readonly IndexedChart[] | undefined> {
  const section = await sectionOf(bytes, name);
  return section === undefined ? undefined : entriesIn(section, name);
}

/** The text of the value that belongs to `name`, or the value itself where the index is JSON. */
type Section = { readonly text: string } | { readonly value: unknown };

async function sectionOf(bytes: Bytes, name: string): Promise<Section | undefined> {
  const reader = new SectionReader(name);
  let json: string[] | undefined;
  let length = 0;
  for await (const line of linesOf(bytes)) {
    if (!json && !reader.begun && line.trimStart().startsWith('{')) json = [];
    if (json) {
      length += line.length;
      if (length > indexLimits.json) throw invalid(`more than ${indexLimits.json} characters of JSON`);
      json.push(line);
    } else if (reader.take(line)) break;
  }
  if (json) return inJson(json.join('\n'), name);
  if (!reader.found) throw invalid('has no entries');
  return reader.lines && { text: reader.lines.join('\n') };
}

/** The fields of an entry that are read. */
const wanted: ReadonlySet<string> = new Set(['version', 'urls', 'digest']);

/** Finds the lines of one chart, by indentation alone: what belongs to a key is indented further than the key. */
class SectionReader {
  readonly #name: string;
  #depth: number | undefined;
  #collecting = false;
  /**
   * Where the entries of the chart and the fields of the current one begin, and whether the current field is wanted.
   */
  #items: number | undefined;
  #fields: number | undefined;
  #wanted = true;
  #length = 0;
  /** Whether anything but comments was read. */
  begun = false;
  /** Whether there are entries. */
  found = false;
  /** The lines of the chart, the first one what follows its key. */
  lines: string[] | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Takes the next line. Returns whether all that is wanted was read. */
  take(line: string): boolean {
    const body = line.trim();
    const isNothing = body === '' || body.startsWith('#');
    if (isNothing || line.startsWith('---') || line.startsWith('%')) {
      // Within a text of several lines, these have a meaning.
      if (this.#collecting && this.#wanted && (isNothing || line.startsWith(' '))) this.#keep(line);
      return false;
    }
    this.begun = true;
    const depth = line.length - line.trimStart().length;
    if (!this.found) {
      const field = depth > 0 ? undefined : fieldOf(body);
      if (field?.key !== 'entries') return false;
      this.found = true;
      if (isEmpty(field.rest)) return false;
      if (field.rest.replace(/\s+/g, '') === '{}') return true;
      throw invalid('the entries are not in block style');
    }
    return this.#takeEntry(line, body, depth);
  }

  #takeEntry(line: string, body: string, depth: number): boolean {
    if (depth === 0) return true;
    this.#depth ??= depth;
    if (depth < this.#depth) throw invalid('the entries are indented unevenly');
    const isItem = body === '-' || body.startsWith('- ');
    if (depth > this.#depth || isItem) {
      if (this.#collecting) this.#keepWanted(line, body, depth);
      return false;
    }
    if (this.#collecting) return true;
    const field = fieldOf(body);
    if (!field) throw invalid(`the entries have a key that is not plain: ${body.slice(0, 60)}`);
    this.#collecting = field.key === this.#name;
    if (this.#collecting) this.lines = isEmpty(field.rest) ? [] : [field.rest];
    return false;
  }

  /**
   * Keeps a line of the chart, unless it belongs to a field of an entry that nobody asks for: an index has dozens of
   * lines for each version.
   */
  #keepWanted(line: string, body: string, depth: number): void {
    const [dash = ''] = /^-[ ]+/.exec(body) ?? [];
    const first = body.slice(dash.length);
    if (this.#items === undefined && (body === '-' || dash !== '')) this.#items = depth;
    if (depth === this.#items && dash !== '' && fieldOf(first)) {
      this.#fields = depth + dash.length;
      this.#wanted = wanted.has(fieldOf(first)!.key);
      this.#keep(this.#wanted ? line : `${' '.repeat(depth)}-`);
      return;
    }
    if (depth === this.#items) [this.#fields, this.#wanted] = [undefined, true];
    else if (depth === this.#fields && !dash) this.#wanted = wanted.has(fieldOf(body)?.key ?? 'version');
    if (this.#wanted) this.#keep(line);
  }

  #keep(line: string): void {
    this.#length += line.length + 1;
    if (this.#length > indexLimits.section) {
      throw invalid(`more than ${indexLimits.section} characters about ${this.#name}`);
    }
    this.lines!.push(line);
  }
}

/** Splits a line of a block mapping into its key and what follows; undefined where its key is not a plain one. */
function fieldOf(body: string): { readonly key: string; readonly rest: string } | undefined {
  const quote = body[0] === '"' || body[0] === "'" ? body[0] : '';
  const end = quote === '' ? 0 : body.indexOf(quote, 1) + 1;
  if (quote !== '' && end === 0) return undefined;
  const colon = body.indexOf(':', end);
  const following = body[colon + 1] ?? ' ';
  if (colon < 0 || (following !== ' ' && following !== '\t')) return undefined;
  const key = quote === '' ? body.slice(0, colon).trimEnd() : body.slice(1, end - 1);
  const isPlain = quote === '' ? !/^[#{}[\],&*!|>%@`?]/.test(key) : !key.includes('\\');
  const isBare = quote === '' || body.slice(end, colon).trim() === '';
  return isPlain && isBare ? { key, rest: body.slice(colon + 1).trim() } : undefined;
}

function isEmpty(rest: string): boolean {
  return rest === '' || rest.startsWith('#');
}

function inJson(json: string, name: string): Section | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new FormatError('chart-index-invalid', 'is neither YAML in block style nor JSON', { cause });
  }
  const entries = (value as { entries?: unknown } | null)?.entries;
  if (typeof entries !== 'object' || entries === null) throw invalid('has no entries');
  return Object.hasOwn(entries, name) ? { value: (entries as Record<string, unknown>)[name] } : undefined;
}

function entriesIn(section: Section, name: string): IndexedChart[] {
  const value = 'text' in section ? parseYaml(section.text, name, 'chart-index-invalid')[0]?.value : section.value;
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(`what it says of ${name} is not a list`);
  return value.flatMap((one): IndexedChart[] => {
    const parsed = entry.safeParse(one);
    if (!parsed.success) return [];
    const { version, urls, digest } = parsed.data;
    const hex = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase();
    return [{ version, urls, digest: hex }];
  });
}

function invalid(message: string): FormatError {
  return new FormatError('chart-index-invalid', message);
}
