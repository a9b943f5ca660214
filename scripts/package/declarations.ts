import type { Api, ApiEntry } from './api.ts';

/** Writes everything that a program can see of the package as one file of declarations. */
export function declarationsOf({ entries, nodeTypes }: Api): string {
  const [shown, hidden] = [entries.filter(isShown), entries.filter((entry) => !isShown(entry))];
  const parts = [
    '/// <reference types="node" />',
    ...nodeTypes.map((type) => type.replace(/^(\S+) (.*)$/, "import type { $2 } from '$1';")),
    ...shown.map((entry) => declarationOf(entry, 'export ')),
    ...hidden.map((entry) => declarationOf(entry, '')),
    "/** Keeps types apart whose insides are nobody else's. */\ndeclare const made: unique symbol;",
    'export {};',
  ];
  return `${parts.join('\n\n')}\n`;
}

function isShown({ section }: ApiEntry): boolean {
  return section !== undefined;
}

function declarationOf({ doc, texts }: ApiEntry, word: string): string {
  const declared = texts.map((text) => `${word}${/^(?:interface|type) /.test(text) ? '' : 'declare '}${text}`);
  return [...(doc === '' ? [] : [doc]), ...declared].join('\n');
}
