/** A page of docs without its blocks of code, which are what users and programs write. */
export function proseOf(page: string): string {
  return page.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '');
}

/**
 * Paths of this checkout that a page names between backticks, as `lib/kernel/content/model.ts`, `test/attacks` or
 * `test/x-*.test.ts`; each once.
 */
export function pathsIn(page: string): string[] {
  const top = /^(?:cli|lib|formats|test|scripts|docs|fixtures|\.ci)\/[\w./*-]+$|^[\w.-]+\.config\.ts$/;
  const spans = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
  return [...new Set(spans.filter((span) => top.test(span)))];
}

/** A link of a page within this checkout; `file` is '' for the page itself, `anchor` undefined for a whole file. */
export interface PageLink {
  readonly file: string;
  readonly anchor: string | undefined;
}

/** The links of a page that lead to other pages and to headings. */
export function linksIn(page: string): PageLink[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g)]
    .map(([, file, anchor]) => ({ file: file!, anchor }))
    .filter(({ file }) => !/^[a-z]+:/.test(file));
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) => title!);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The rows of all tables of a page: the cells of each, without heads. */
export function rowsOf(page: string): string[][] {
  const lines = proseOf(page)
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const heads = new Set(lines.flatMap((line, at) => (/^\| -/.test(line) ? [at, at - 1] : [])));
  return lines
    .filter((_, at) => !heads.has(at))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** The rows below a heading of the second level: the cells of each table there, without heads. */
export function rowsBelow(page: string, heading: string): string[][] {
  const start = page.indexOf(`\n## ${heading}\n`);
  return start < 0 ? [] : rowsOf(page.slice(start + 1).split(/^## /m)[1]!);
}

/** A word that the last cell of a row says a file defines; undefined where the cell names a file alone, or nothing. */
export function definitionIn(cell: string): { readonly name: string; readonly path: string } | undefined {
  const [, name, path] = /^`(\w+)` in `([^`]+)`$/.exec(cell) ?? [];
  return name === undefined ? undefined : { name, path: path! };
}

/** Whether a source declares `name`: as a value or a type, or as a member of a type. */
export function declares(source: string, name: string): boolean {
  return new RegExp(
    `\\b(?:class|const|function\\*?|interface|type) ${name}\\b|^ +(?:readonly )?${name}\\??[:(]`,
    'm',
  ).test(source);
}
