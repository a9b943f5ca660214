import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type FileFormat, fileFormats } from '../../../formats/document/schema-line.ts';
import { parseProfile } from '../../../formats/profile/profile.ts';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { parsePolicy } from '../../../formats/trust/parse-policy.ts';

const root = join(import.meta.dirname, '../../..');

/** How solpack reads files of each format; each throws for what is none. */
export const readers: Readonly<Record<FileFormat, (bytes: Uint8Array) => unknown>> = {
  definition: parseDefinition,
  configuration: parseConfiguration,
  policy: parsePolicy,
  profile: parseProfile,
};

/** A file of a format, with the file of the project that has it. */
export interface WrittenFile {
  readonly format: FileFormat;
  readonly text: string;
  readonly from: string;
}

/** Tells whether solpack takes a text for a file of a format. */
export function isRead(format: FileFormat, text: string): boolean {
  try {
    readers[format](Buffer.from(text));
    return true;
  } catch {
    return false;
  }
}

/**
 * Collects every definition, SolutionsConfiguration, policy and profile that is written anywhere in the project: as a
 * file, in a page of the docs, or as a text in the code of tests and scripts. Whatever solpack reads as one of these is
 * one.
 */
export function writtenFiles(): WrittenFile[] {
  const found = new Map<string, string>();
  const add = (from: string, text: string): void => {
    if (!found.has(text)) found.set(text, from);
  };
  for (const path of globSync('fixtures/**/*.{toml,yaml}', { cwd: root })) add(path, read(path));
  for (const path of globSync(['README.md', 'docs/*.md'], { cwd: root })) {
    for (const text of blocksOf(read(path))) add(path, text);
  }
  for (const path of globSync(['test/**/*.ts', 'scripts/**/*.ts'], { cwd: root })) {
    for (const text of textsIn(path, read(path))) add(path, text);
  }
  return [...found].flatMap(([text, from]) =>
    fileFormats
      .filter((format) => signs[format].test(text) && isRead(format, text))
      .map((format) => ({ format, text, from })),
  );
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** What a file of each format has somewhere. Most texts have nothing of it, and reading all of them takes a minute. */
const signs: Readonly<Record<FileFormat, RegExp>> = {
  definition: /^version *= *"/m,
  configuration: /SolutionsConfiguration/,
  policy: /\bversion"? *[=:] *\d/,
  profile: /^(?:configuration|kubeconfig|policy|keys|\[(?:images|registry|install)\]|(?:images|registry|install)\.)/m,
};

/** What parts of files in pages stand for whole ones with. */
const heads: readonly string[] = [
  '',
  'name = "shop"\nversion = "2.1.0"\n',
  'name = "shop"\nversion = "2.1.0"\nimages = [{ reference = "registry.example.com/a:1" }]\n',
  `version = 1\nkeys = [{ id = "${'a'.repeat(64)}", file = "a.pub" }]\n`,
  'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n',
];

/** The blocks of a page, also what a script of one writes into a file; as they are, and as parts of a file. */
function blocksOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```[a-z]*\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  const heredocs = blocks.flatMap((block) => [...block.matchAll(/<<END\n([\s\S]*?)^END$/gm)].map(([, text]) => text!));
  // Ids of keys are what commands print, or left out; those of two keys are different.
  const filled = [...blocks, ...heredocs].map((text) =>
    text.replaceAll(/\$\(id (\w)[^)]*\)|…/g, (_, name = 'a') => Buffer.from(name).toString('hex').padEnd(64, '0')),
  );
  return filled.flatMap((text) => heads.flatMap((head) => [head + text, text + head]));
}

/** What stands for something that a test puts into a text. */
const fillings: readonly string[] = ['x', '1.0.0', 'a'.repeat(64), '/srv/x.iso'];

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

/** The texts in a source; what a template puts in is filled in. */
function textsIn(path: string, source: string): string[] {
  const texts: string[] = [];
  const waiting: unknown[] = [parseSync(path, source).program];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const { type, value, quasis } = next as Node;
    if (type === 'Literal' && typeof value === 'string') texts.push(value);
    if (type === 'TemplateLiteral' && quasis) {
      const parts = quasis.map((quasi) => quasi.value.cooked ?? '');
      texts.push(...fillings.slice(0, parts.length === 1 ? 1 : undefined).map((filling) => parts.join(filling)));
    }
    waiting.push(...Object.values(next).filter((one) => one !== undefined));
  }
  return texts;
}
