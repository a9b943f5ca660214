import { wrap } from '../view/wrap.ts';
import type { Term } from './notes.ts';
import type { HelpPage, Section } from './page.ts';

/** The widest and the narrowest that help is set. */
const WIDEST = 100;
const NARROWEST = 40;
/** Columns from which on a term and its meaning stand side by side. */
const SIDE_BY_SIDE = 60;
/** The farthest column at which a meaning begins. */
const FARTHEST = 30;

/** Returns how wide text is set on a terminal of `columns` columns. */
export function readableWidth(columns: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, columns));
}

/** Sets a page for a terminal of `columns` columns. */
export function helpText(page: HelpPage, columns: number): string {
  const width = readableWidth(columns);
  const blocks = [
    wrap(`Usage: ${page.usage}`, width, ' '.repeat('Usage: '.length)),
    wrap(page.description, width),
    ...page.sections.map((section) => sectionLines(section, width, columnOf(page, width))),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The column at which meanings begin, the same for all groups of a page. */
function columnOf({ sections }: HelpPage, width: number): number {
  if (width < SIDE_BY_SIDE) return 6;
  const terms = sections.flatMap((section) => ('terms' in section ? section.terms : []));
  const lengths = terms.map(({ term }) => term.length + 4).filter((length) => length <= FARTHEST);
  return Math.max(...lengths, 0) || FARTHEST;
}

function sectionLines(section: Section, width: number, column: number): string[] {
  if ('terms' in section) return [...wrap(section.title, width), ...termLines(section.terms, width, column)];
  if ('examples' in section) return [section.title, ...section.examples.flatMap((line) => exampleLines(line, width))];
  if ('verbatim' in section) return [section.title, ...section.verbatim.map((line) => `  ${line}`)];
  return wrap(section.text, width);
}

/** Terms with their meanings: in a second column, or on a narrow terminal below. */
function termLines(terms: readonly Term[], width: number, column: number): string[] {
  const indent = ' '.repeat(column);
  return terms.flatMap(({ term, text }) => {
    const head = `  ${term}`;
    if (text === '') return [head];
    if (head.length + 2 > column)
      return [...wrap(head, width, '  '), ...wrap(text, width - column).map((line) => `${indent}${line}`)];
    const [first = '', ...rest] = wrap(text, width - column);
    return [`${head.padEnd(column)}${first}`, ...rest.map((line) => `${indent}${line}`)];
  });
}

/**
 * A command line, broken between its words as a shell allows it. What is said about it goes below where it does not fit
 * beside.
 */
export function exampleLines(line: string, width: number): string[] {
  const lines = [''];
  // What stands between quotes is one word for a shell, and stays whole.
  const all: readonly string[] = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const at = `  $ ${all.join(' ')}`.length <= width ? -1 : all.indexOf('#');
  const said = at < 0 ? [] : wrap(all.slice(at + 1).join(' '), width - 8).map((text) => `      # ${text}`);
  for (const word of at < 0 ? all : all.slice(0, at)) {
    const last = lines.at(-1)!;
    const start = lines.length === 1 ? '  $ ' : '      ';
    if (last === '') lines[lines.length - 1] = `${start}${word}`;
    else if (last.length + word.length + 3 <= width) lines[lines.length - 1] = `${last} ${word}`;
    else {
      lines[lines.length - 1] = `${last} \\`;
      lines.push(`      ${word}`);
    }
  }
  return [...lines, ...said];
}
