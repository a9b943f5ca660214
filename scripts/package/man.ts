import type { Term } from '../../cli/help/notes.ts';
import type { HelpPage, Section } from '../../cli/help/page.ts';
import { exampleLines } from '../../cli/help/text.ts';
import { fieldWords } from '../../cli/view/explain-file.ts';
import { wrap } from '../../cli/view/wrap.ts';
import type { FileExplanation } from '../../lib/index.ts';

/** What man pages tell besides the help: whose they are, and what stands at the end of each. */
export interface ManualFacts {
  readonly version: string;
  /** A date as `2026-01-31`. */
  readonly date: string;
  /** Exit codes, and what they mean. */
  readonly exits: readonly Term[];
  /** The pages that a page leads to. */
  readonly also: readonly string[];
}

/** Columns of lines in the source, which nobody sees. */
const WIDTH = 78;

/** Makes a manual page, in the macros of man(7), of the page that `--help` shows. */
export function manPage(page: HelpPage, { version, date, exits, also }: ManualFacts): string {
  const name = manualName(page);
  const lines = [
    `.TH ${escaped(name.toUpperCase())} 1 ${date} ${quoted(`solpack ${version}`)} ${quoted('User Commands')}`,
    // Lines are not stretched, and words not broken: flags and paths stay as they are typed.
    '.ad l',
    '.nh',
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(page.summary)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(page.usage)}`,
    '.SH DESCRIPTION',
    ...paragraph(page.description),
    ...sectionsOf(page),
    '.SH EXIT STATUS',
    ...termLines(exits),
    '.SH SEE ALSO',
    also.map((one) => `.BR ${escaped(one)} (1)`).join(' ,\n'),
  ];
  return `${lines.join('\n')}\n`;
}

/** Makes the manual page, of section 5, of a file that users write, of what `solpack explain` tells of it. */
export function filePage(
  { name, summary, about, page, fields }: FileExplanation,
  { version, date, also }: Omit<ManualFacts, 'exits'>,
): string {
  const lines = [
    `.TH ${escaped(name.toUpperCase())} 5 ${date} ${quoted(`solpack ${version}`)} ${quoted('File Formats')}`,
    '.ad l',
    '.nh',
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(summary)}`,
    '.SH DESCRIPTION',
    ...about.flatMap((text, at) => [...(at === 0 ? [] : ['.PP']), ...paragraph(text)]),
    '.SH FIELDS',
    'In a path, [] stands for each entry of a list, and NAME for any name.',
    ...fields.flatMap((field) => [
      '.TP',
      // A path may be broken behind its dots.
      `.B ${escaped(field.path).replaceAll('.', '.\\:')}`,
      ...paragraph(`(${fieldWords(field)})`),
      ...(field.description === undefined ? [] : ['.br', ...paragraph(field.description)]),
    ]),
    '.SH SEE ALSO',
    ...paragraph(`"solpack docs ${page}" prints a page with examples.`),
    '.PP',
    also.map((one) => `.BR ${escaped(one)} (1)`).join(' ,\n'),
  ];
  return `${lines.join('\n')}\n`;
}

/** The name of the manual page of a command: `solpack-pack`. */
export function manualName({ name }: HelpPage): string {
  return name.replaceAll(' ', '-');
}

/** The groups of flags, and of commands, are parts of one section each. */
function sectionsOf({ sections }: HelpPage): string[] {
  const lines: string[] = [];
  let open = '';
  for (const section of sections) {
    const title = section.title.replace(/:$/, '');
    const part = partOf(section);
    if (part !== undefined && part !== open) lines.push(`.SH ${part}`);
    if (part !== undefined && title.toUpperCase() !== part) lines.push(`.SS ${escaped(title)}`);
    if (part === undefined && title !== '') lines.push(`.SH ${escaped(title.toUpperCase())}`);
    if (part === undefined && title === '') lines.push('.SH NOTES');
    open = part ?? '';
    lines.push(...bodyOf(section));
  }
  return lines;
}

/** The section that a group belongs to; undefined for what is a section of its own. */
function partOf(section: Section): string | undefined {
  if (!('terms' in section) || /^(?:Arguments|Environment):$/.test(section.title)) return undefined;
  return section.terms.some(({ term }) => term.startsWith('-')) ? 'OPTIONS' : 'COMMANDS';
}

function bodyOf(section: Section): string[] {
  if ('terms' in section) return termLines(section.terms);
  if ('text' in section) return paragraph(section.text);
  const shown =
    'examples' in section
      ? section.examples.flatMap((line) => exampleLines(line, WIDTH)).map((line) => line.slice(2))
      : section.verbatim;
  return ['.EX', ...shown.map(escapedLine), '.EE'];
}

function termLines(terms: readonly Term[]): string[] {
  return terms.flatMap(({ term, text }) => ['.TP', `.B ${escaped(term)}`, ...paragraph(text)]);
}

function paragraph(text: string): string[] {
  return text === '' ? ['\\&'] : wrap(text, WIDTH).map(escapedLine);
}

/** A line of text, which is no request of roff even where it begins like one. */
function escapedLine(line: string): string {
  return /^[.']/.test(line) ? `\\&${escaped(line)}` : escaped(line);
}

/** Text in which roff finds nothing of its own: a dash stays the one that people type. */
function escaped(text: string): string {
  return text
    .replace(/\\/g, '\\e')
    .replace(/[-'`^~"]/g, (character) => marks[character]!)
    .replace(
      /[^\u0020-\u007e]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

const marks: Readonly<Record<string, string>> = {
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
};

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}
