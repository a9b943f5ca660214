import { parseDocument } from 'yaml';
import { text } from '../bytes.ts';
import { type Locate, placeProblems } from '../document/places.ts';
import { type Problem, problemsOf } from '../document/problems.ts';
import { PlacedError } from '../error.ts';
import { type Fail, soundTokens } from '../manifest/yaml.ts';
import { yamlExtent } from '../manifest/yaml-places.ts';
import { z } from '../schema.ts';
import { TextLines } from '../text-lines.ts';
import { SOLUTIONS_API } from './manifest-yaml.ts';
import { isSemVer, labelSchema } from './names.ts';

const CODE = 'yaml-invalid';
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
 * that MetalK8s ships (`archives: [...]`, `active: {name: version|latest}`). Throws `FormatError` `yaml-invalid`, with place
 * and field of everything that is wrong.
 */
export function parseConfiguration(bytes: Uint8Array): SolutionsConfiguration {
  const { value, place } = read(text(bytes, CODE));
  const parsed = configuration.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const fields = (field: string): readonly string[] =>
      field.startsWith('solutions') ? Object.keys(group.shape) : Object.keys(configuration.shape);
    throw place(problemsOf(parsed.error, fields));
  }
  const { metadata, solutions, archives, active } = parsed.data;
  const name = metadata?.name ?? DEFAULT_NAME;
  if (solutions && (archives || active)) {
    throw place([{ path: '', message: 'has both "solutions" and "archives" or "active": use one form' }]);
  }
  if (!solutions) {
    const groups = [{ name: undefined, archives: archives ?? [] }];
    return { name, groups, active: new Map(Object.entries(active ?? {})), implicit: false };
  }
  const names = solutions.map((entry) => entry.name);
  const twice = names.findIndex((entry, index) => names.indexOf(entry) < index);
  if (twice >= 0) throw place([{ path: `solutions.${twice}.name`, message: `${names[twice]} is named twice` }]);
  return {
    name,
    groups: solutions.map((entry) => ({ name: entry.name, archives: entry.archives })),
    active: new Map(solutions.flatMap((entry) => (entry.activeVersion ? [[entry.name, entry.activeVersion]] : []))),
    implicit: true,
  };
}

interface Source {
  readonly value: unknown;
  /** Makes the error about some of its fields. */
  readonly place: (problems: readonly Problem[]) => PlacedError;
}

function read(source: string): Source {
  const lines = new TextLines(source);
  const fail: Fail = (message, start, end, cause) => {
    const words = message.split('\n')[0]!.replace(/:$/, '');
    return new PlacedError(CODE, [lines.problem(words, start, end)], { cause });
  };
  for (const _ of soundTokens(source, fail));
  const document = parseDocument(source, { version: '1.1', uniqueKeys: true, prettyErrors: false, logLevel: 'silent' });
  const [broken] = document.errors;
  if (broken) throw fail(broken.message, ...broken.pos, broken);
  const locate: Locate = ({ path, ofName }) => yamlExtent(document, path.split('.'), ofName);
  try {
    return {
      value: document.toJS({ maxAliasCount: 100 }),
      place: (problems) => new PlacedError(CODE, placeProblems(lines, locate, problems)),
    };
  } catch (cause) {
    // What aliases do is known last, and told by errors of other kinds.
    throw fail(cause instanceof Error ? cause.message : String(cause), 0, 1, cause);
  }
}
