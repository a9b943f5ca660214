import type { Api, ApiEntry } from './api.ts';
import { doors } from './door.ts';

const opening = `# The library

This page lists every function of \`import { … } from 'solpack'\` and \`import { … } from 'solpack/parts'\`, with its parameters and its result.
[Solpack in a program](library.md) is an introduction with examples. \`npm run docs\` generates this page from the code, and CHANGELOG.md lists
its changes in each release.

A name that is not on this page is not part of the package, and no file of the package can be imported by its path. Both modules export all
types. Functions that take long need a \`Flow\`. They print nothing, and throw a \`SolpackError\`, whose code is listed in
[Errors](errors.md).
`;

/** Writes the page about everything that a program can see of the package: functions by subject, then the types by name. */
export function apiPage({ entries }: Api): string {
  const functions = entries.filter(({ section, isType }) => section !== undefined && !isType);
  const types = entries.filter(({ isType, section }) => isType && section !== undefined);
  const sections = Object.entries(doors).flatMap(([name, path]) => {
    const own = functions.filter(({ door }) => door === path);
    return [...new Set(own.map(({ section }) => section!))].map((title) => {
      const members = own.filter(({ section }) => section === title);
      return `## ${title}, from \`${name}\`\n\n${members.map(partOf).join('\n')}`;
    });
  });
  const sorted = types.sort((a, b) => (a.name < b.name ? -1 : 1)).map(partOf);
  return [opening, ...sections, '## Types\n', ...sorted].join('\n');
}

function partOf({ name, doc, texts }: ApiEntry): string {
  return `### \`${name}\`\n\n${wordsOf(doc)}\n\n\`\`\`ts\n${texts.join('\n')}\n\`\`\`\n`;
}

/** The words of a docstring, without its stars. */
function wordsOf(doc: string): string {
  return doc
    .replace(/^\/\*\*\s*|\s*\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}
