import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of the table of attacks in docs/attacks.md. */
export interface Row {
  readonly attack: string;
  /** What `verify` finds, or the code of the error that refuses the file before. */
  readonly codes: readonly string[];
  readonly exit: number;
}

const page = readFileSync(join(import.meta.dirname, '../../docs/attacks.md'), 'utf8');

/** The rows of the tables of attacks, in their order. */
export const rows: readonly Row[] = [...page.matchAll(/^\| (.+?) \| (`.+`) \| (\d) \|$/gm)].map(
  ([, attack = '', codes = '', exit]) => ({
    attack,
    codes: [...codes.matchAll(/`([a-z0-9-]+)`/g)].map(([, code]) => code!),
    exit: Number(exit),
  }),
);

/** The text below a heading of the page. */
export function sectionOf(heading: string): string {
  return page.split('\n## ').find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** The row of an attack. */
export function rowOf(attack: string): Row {
  const row = rows.find((candidate) => candidate.attack === attack);
  if (!row) throw new Error(`docs/attacks.md does not list the attack "${attack}"`);
  return row;
}
