import { meantWord } from '../lib/command.ts';
import { usage } from './arguments.ts';

/** A page of the documentation, or a section of one. */
export interface DocPage {
  readonly name: string;
  readonly title: string;
  /** In Markdown. */
  readonly text: string;
}

/** Lists pages by their texts. */
export function docPages(files: ReadonlyMap<string, string>): DocPage[] {
  return [...files].map(([name, text]) => ({ name, title: titleOf(text) ?? name, text }));
}

/**
 * Finds what a topic names: a page, `trust`, or a section of one, `trust#policy`, also as messages and pages write it,
 * `docs/trust.md#policy`. Throws `usage-invalid`, with what was probably meant.
 */
export async function findDoc(files: ReadonlyMap<string, string>, topic: string): Promise<DocPage> {
  const [path = '', anchor] = topic.trim().split('#', 2);
  const name = path
    .toLowerCase()
    .replace(/^docs\//, '')
    .replace(/\.md$/, '');
  const text = files.get(name);
  if (text === undefined) {
    const meant = await meantWord(name, [...files.keys()]);
    throw usage(topic, 'is no page', meant === undefined ? '"solpack docs" lists all pages' : `did you mean ${meant}?`);
  }
  const title = titleOf(text) ?? name;
  if (anchor === undefined || anchor === '') return { name, title, text };
  const section = sectionOf(text, anchor.toLowerCase());
  if (section !== undefined) return { name: `${name}#${anchor.toLowerCase()}`, ...section };
  const meant = await meantWord(
    anchor,
    headingsOf(text).map((heading) => heading.anchor),
  );
  throw usage(
    topic,
    `is no section of ${name}`,
    meant === undefined ? `"solpack docs ${name}" prints all of it` : `did you mean ${name}#${meant}?`,
  );
}

function titleOf(text: string): string | undefined {
  return headingsOf(text)[0]?.title;
}

/** A heading, where it stands, and how links name it, as GitHub does. */
interface Heading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
  readonly anchor: string;
}

function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  const seen = new Map<string, number>();
  let inCode = false;
  for (const [line, words] of text.split('\n').entries()) {
    if (words.trimStart().startsWith('```')) inCode = !inCode;
    const marks = /^#{1,6} /.exec(words)?.[0];
    if (inCode || marks === undefined) continue;
    const title = words.slice(marks.length).trim().replaceAll('`', '');
    const own = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(own) ?? 0;
    seen.set(own, before + 1);
    headings.push({ line, level: marks.length - 1, title, anchor: before === 0 ? own : `${own}-${before}` });
  }
  return headings;
}

/** The text from a heading to the next one that is not below it. */
function sectionOf(text: string, anchor: string): Pick<DocPage, 'title' | 'text'> | undefined {
  const headings = headingsOf(text);
  const at = headings.findIndex((heading) => heading.anchor === anchor);
  const heading = headings[at];
  if (heading === undefined) return undefined;
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level);
  return { title: heading.title, text: text.split('\n').slice(heading.line, next?.line).join('\n') };
}
