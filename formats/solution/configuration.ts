import { LineCounter, parseDocument } from 'yaml';
import { text } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { soundTokens } from '../manifest/yaml.ts';
import { z } from '../schema.ts';
import { SOLUTIONS_API } from './manifest-yaml.ts';
import { isSemVer, labelSchema } from './names.ts';
import { type Problem, problemsOf } from './problems.ts';

const KIND = 'SolutionsConfiguration';
const DEFAULT_NAME = 'default';
const APIS = [SOLUTIONS_API, 'metalk8s.scality.com/v1alpha1'] as const;

const version = z.custom<string>(
  (value) => typeof value === 'string' && (value === 'latest' || isSemVer(value)),
  'has to be "latest" or a SemVer version in quotes, such as "1.1.0"',
);
const path = z.string().min(1);

const group = z.strictObject({ name: z.string().min(1), activeVersion: version.nullish(), archives: z.array(path) });

const configuration = z.strictObject({
  apiVersion: z.enum(APIS),
  kind: z.literal(KIND),
  metadata: z.looseObject({ name: labelSchema.nullish() }).nullish(),
  solutions: z.array(group).optional(),
  archives: z.array(path).nullish(),
  active: z.record(z.string(), version).nullish(),
});

/** Archives of which one Solution version may be active. */
export interface SolutionGroup {
  /** The Solution that every archive of the group has to hold; undefined where archives are mixed. */
  readonly name: string | undefined;
  /** Paths as they were written. */
  readonly archives: readonly string[];
}

/** A SolutionsConfiguration, whichever form it was written in. */
export interface SolutionsConfiguration {
  /** Its `metadata.name`, an RFC 1123 label; `default` where it has none. What it brought to a cluster is known by it. */
  readonly name: string;
  readonly groups: readonly SolutionGroup[];
  /** What is to be active, by name of the Solution: a version, or 'latest'. */
  readonly active: ReadonlyMap<string, string>;
  /** Whether a Solution that `active` does not name is active in its highest version (the grouped form) or not at all. */
  readonly implicit: boolean;
}

/**
 * Reads a SolutionsConfiguration: the grouped form (`solutions: [{name, activeVersion, archives}]`) or the flat one
 * that MetalK8s ships (`archives: [...]`, `active: {name: version|latest}`). Throws `FormatError` `yaml-invalid`.
 */
export function parseConfiguration(bytes: Uint8Array): SolutionsConfiguration {
  const parsed = configuration.safeParse(parsedFrom(text(bytes, 'yaml-invalid')), { reportInput: true });
  if (!parsed.success) {
    const fields = (place: string): readonly string[] =>
      place.startsWith('solutions') ? Object.keys(group.shape) : Object.keys(configuration.shape);
    throw new FormatError('yaml-invalid', problemsOf(parsed.error, fields).map(words).join('; '));
  }
  const { metadata, solutions, archives, active } = parsed.data;
  const name = metadata?.name ?? DEFAULT_NAME;
  if (solutions && (archives || active)) {
    throw new FormatError('yaml-invalid', 'has both "solutions" and "archives" or "active": use one form');
  }
  if (!solutions) {
    const groups = [{ name: undefined, archives: archives ?? [] }];
    return { name, groups, active: new Map(Object.entries(active ?? {})), implicit: false };
  }
  const names = solutions.map((entry) => entry.name);
  const twice = names.find((entry, index) => names.indexOf(entry) < index);
  if (twice !== undefined) throw new FormatError('yaml-invalid', `solutions: ${twice} is named twice`);
  return {
    name,
    groups: solutions.map((entry) => ({ name: entry.name, archives: entry.archives })),
    active: new Map(solutions.flatMap((entry) => (entry.activeVersion ? [[entry.name, entry.activeVersion]] : []))),
    implicit: true,
  };
}

function parsedFrom(source: string): unknown {
  try {
    requireTokens(source);
    const document = parseDocument(source, { version: '1.1', uniqueKeys: true, logLevel: 'silent' });
    const [broken] = document.errors;
    if (broken) throw broken;
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    // What aliases do is known last, and told by errors of other kinds.
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new FormatError('yaml-invalid', message.split('\n')[0]!.replace(/:$/, ''), { cause });
  }
}

function requireTokens(source: string): void {
  const lines = new LineCounter();
  const tokens = soundTokens(source, lines.addNewLine, (message, offset) => {
    const { line, col } = lines.linePos(offset);
    return new Error(`${message} at line ${line}, column ${col}`);
  });
  while (!tokens.next().done);
}

function words({ path: place, message }: Problem): string {
  return place ? `${place}: ${message}` : message;
}
