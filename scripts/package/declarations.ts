import type { Api, ApiEntry } from './api.ts';
import { doors } from './door.ts';

/**
 * Writes the declarations of the package, as file and text: each door exports its functions, and all types, from one
 * file.
 */
export function declarationFiles(api: Api): [name: string, text: string][] {
  const types = api.entries.filter(({ isType, section }) => isType && section !== undefined).map(({ name }) => name);
  const files = Object.values(doors).map((path): [string, string] => {
    const values = api.entries.filter(({ door, isType }) => door === path && !isType).map(({ name }) => name);
    const text = `${listed('export', values)}\n${listed('export type', types)}\n`;
    return [path.replace(/^lib\/(.*)\.ts$/, '$1.d.ts'), text];
  });
  return [['api.d.ts', declarationsOf(api)], ...files];
}

function listed(word: string, names: readonly string[]): string {
  return `${word} {\n${names.map((name) => `  ${name},\n`).join('')}} from './api.js';`;
}

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
