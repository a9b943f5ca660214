import type { Api, ApiEntry } from './api.ts';

const opening = `# The library

What \`import { … } from 'solpack'\` gives: every function, what it takes, and what it gives. [Solpack in a
program](library.md) tells how to begin, and has examples. This page is made from the code by \`npm run docs\`, and a
release says in CHANGELOG.md what of it has changed.

A name that is not on this page is no part of the package, and no file of the package can be imported by its path.
Functions that work for long take a \`Flow\`. They print nothing, and what they throw is a \`SolpackError\`, whose code is
listed in [Errors](errors.md).
`;

/** Writes the page about everything that a program can see of the package: functions by subject, then the types by name. */
export function apiPage({ entries }: Api): string {
  const functions = entries.filter(({ section, isType }) => section !== undefined && !isType);
  const types = entries.filter(({ isType, section }) => isType && section !== undefined);
  const sections = [...new Set(functions.map(({ section }) => section!))].map((title) => {
    const members = functions.filter(({ section }) => section === title);
    return `## ${title.replace(/,.*/, '')}\n\n${members.map(partOf).join('\n')}`;
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
