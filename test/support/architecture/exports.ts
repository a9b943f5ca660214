import { posix } from 'node:path';
import type { Sources } from './code.ts';

/** Every name that `path` exports, directly or from elsewhere, without a docstring where it is declared. */
export function undocumented(sources: Sources, path: string): string[] {
  return exportsOf(sources, path)
    .filter(({ file, name }) => !isDocumented(sources.get(file) ?? '', name))
    .map(({ file, name }) => `${name} of ${file}`);
}

interface Exported {
  readonly name: string;
  /** Where it is declared. */
  readonly file: string;
}

const listed = /^export\s+(?:type\s+)?(\*|\{[^}]*\})\s*from\s*'([^']+)'/gm;
const declared =
  /^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\s*\*?|const|class|interface|type)\s+([\w$]+)/gm;

/** What a source exports, each name followed to its declaration. */
export function exportsOf(sources: Sources, path: string): Exported[] {
  const source = sources.get(path) ?? '';
  const here = [...source.matchAll(declared)].map((match) => ({ name: match[1]!, file: path }));
  const elsewhere = [...source.matchAll(listed)].flatMap(([, names, specifier]) => {
    const all = exportsOf(sources, posix.join(posix.dirname(path), specifier!));
    if (names === '*') return all;
    return namesIn(names!).map((name) => all.find((entry) => entry.name === name) ?? { name, file: specifier! });
  });
  return [...here, ...elsewhere];
}

function namesIn(list: string): string[] {
  return list
    .slice(1, -1)
    .split(',')
    .map((entry) =>
      entry
        .trim()
        .replace(/^type\s+/, '')
        .replace(/\s+as\s+.*$/, ''),
    )
    .filter((name) => name !== '');
}

function isDocumented(source: string, name: string): boolean {
  const pattern = String.raw`\*/\s*\nexport\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\s*\*?|const|class|interface|type)\s+${name.replaceAll('$', '\\$')}\b`;
  return new RegExp(pattern).test(source);
}
