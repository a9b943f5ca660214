import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of the table of attacks in docs/trust.md. */
export interface Row {
  readonly attack: string;
  /** What `verify` finds, or the code of the error that refuses the file before. */
  readonly codes: readonly string[];
  readonly exit: number;
}

const page = readFileSync(join(import.meta.dirname, '../../docs/trust.md'), 'utf8');
const section = page.slice(page.indexOf('\n## Attacks'));

/** The rows of the tables of attacks, in their order. */
export const rows: readonly Row[] = [...section.matchAll(/^\| (.+?) \| (`.+`) \| (\d) \|$/gm)].map(
  ([, attack = '', codes = '', exit]) => ({
    attack,
    codes: [...codes.matchAll(/`([a-z0-9-]+)`/g)].map(([, code]) => code!),
    exit: Number(exit),
  }),
);

/** The text below a heading of the page. */
export function sectionOf(heading: string): string {
  return section.split('\n### ').find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** The row of an attack. */
export function rowOf(attack: string): Row {
  const row = rows.find((candidate) => candidate.attack === attack);
  if (!row) throw new Error(`docs/trust.md does not list the attack "${attack}"`);
  return row;
}
