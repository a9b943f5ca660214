import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explanations } from '../../lib/flows/explain/index.ts';
import { exits } from '../../lib/kernel/events/errors.ts';
import { root } from '../home.ts';
import { type SchemaPart, schemaDocuments } from './schemas.ts';

/** What programs may rely on: `docs/pipelines.md` says how far. */
export interface Promised {
  /** The codes that commands end with, by what they mean. */
  readonly exits: Readonly<Record<string, number>>;
  /** The exit code of each error. */
  readonly errors: Readonly<Record<string, number>>;
  /** The codes of findings, as `verify CODE` and `check CODE`. */
  readonly findings: readonly string[];
  /** The schemas of outputs by `$id`, without what is for people. */
  readonly schemas: Readonly<Record<string, SchemaPart>>;
}

/** Where the last promise is kept, below the root. */
export const keptPath = 'fixtures/promise.json';

/** Reads the last promise. */
export function keptPromise(): Promised {
  return JSON.parse(readFileSync(join(root, keptPath), 'utf8'));
}

/** Returns what these sources would promise. */
export function promiseNow(): Promised {
  const all = explanations();
  const errors = all.filter(({ kind }) => kind === 'error').map(({ code, exit }) => [code, exit!]);
  const findings = all.filter(({ kind }) => kind === 'verify' || kind === 'check');
  const schemas = Object.values(schemaDocuments()).map((schema) => [schema['$id'], bare(schema)]);
  return {
    exits,
    errors: Object.fromEntries(errors),
    findings: findings.map(({ kind, code }) => `${kind} ${code}`),
    schemas: Object.fromEntries(schemas),
  };
}

/** Writes a promise as it is kept: a line for each entry, so that a change of one is a change of one line. */
export function promiseText(promise: Promised): string {
  const parts = Object.entries(promise).map(([name, part]) => {
    const lines = Array.isArray(part)
      ? [...part].sort().map((entry) => JSON.stringify(entry))
      : Object.entries(part)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    const [open, close] = Array.isArray(part) ? '[]' : '{}';
    return `${JSON.stringify(name)}: ${open}\n${lines.join(',\n')}\n${close}`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}

const forPeople: ReadonlySet<string> = new Set(['$schema', '$id', 'title', 'description']);

/** A schema without what is for people. Names of fields are no keywords, whatever they are. */
function bare(schema: SchemaPart): SchemaPart {
  const kept = Object.entries(schema).filter(([keyword]) => !forPeople.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, bareValue(keyword, value)]));
}

function bareValue(keyword: string, value: unknown): unknown {
  if (keyword === 'properties') {
    const fields = Object.entries(value as Record<string, SchemaPart>);
    return Object.fromEntries(fields.map(([name, field]) => [name, bare(field)]));
  }
  if (keyword === 'anyOf' || keyword === 'oneOf') return (value as SchemaPart[]).map(bare);
  return keyword !== 'const' && isPart(value) ? bare(value) : value;
}

function isPart(value: unknown): value is SchemaPart {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
