import { formedText, z } from '../schema.ts';
import { isSemVer, semVerSchema } from './names.ts';
import type { Upgrade } from './upgrade.ts';
import { isVersionRange, RANGE } from './wanted-version.ts';

/** Ranges by the names of Solutions or capabilities. */
export type Ranges = Readonly<Record<string, string>>;

/** What a version of a Solution requires of others in the same cluster, and provides to them. */
export interface Relations {
  /** Solutions and capabilities that have to be there, each in a version of its range. */
  readonly requires?: Ranges | undefined;
  /** Alternatives, the preferred ones first: of each list at least one has to be there. */
  readonly anyOf?: readonly Ranges[] | undefined;
  /** What is brought along where that changes nothing else. */
  readonly recommends?: Ranges | undefined;
  /** Capabilities that it brings, with their versions. */
  readonly provides?: Readonly<Record<string, string>> | undefined;
  /** Capabilities of `provides` that nobody else may bring. */
  readonly exclusive?: readonly string[] | undefined;
  /** Solutions and capabilities that must not be installed. */
  readonly conflicts?: Ranges | undefined;
  /** Solutions that it replaces. */
  readonly replaces?: Ranges | undefined;
}

/** A version of a Solution, with what it asks for. */
export interface Release extends Relations {
  readonly name: string;
  readonly version: string;
  /** The range of Kubernetes versions that it is for. */
  readonly kubernetes?: string | undefined;
  /** Over which versions of it, and of what it provides, it may be installed. Left out: over any. */
  readonly upgrade?: Upgrade | undefined;
}

/**
 * Names of capabilities may look like those of Kubernetes' groups and kinds: `cni`, `cert-manager.io/v1/Certificate`.
 */
const CAPABILITY = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,251}[A-Za-z0-9])?$/;

const nameWords = 'is not a name of a Solution or capability: 1 to 253 of A-Z, a-z, 0-9, ".", "_", "-" and "/"';

/** Decides whether a Solution or a capability may have that name. */
export function isCapability(name: string): boolean {
  return CAPABILITY.test(name);
}

const name = z.string().regex(CAPABILITY, nameWords);

/** What is in every cluster, and has a field of its own for the range of its versions. */
const KUBERNETES = 'kubernetes';

/** A table by names, each of which has to be one of a Solution or capability. */
function named<Value extends z.ZodType<string>>(value: Value): z.ZodType<Record<string, string>> {
  return z
    .record(z.string(), value)
    .superRefine((table, { addIssue }) => {
      for (const key of Object.keys(table)) {
        if (key === KUBERNETES) addIssue({ code: 'custom', path: [key], message: kubernetesWords });
        else if (!CAPABILITY.test(key)) addIssue({ code: 'custom', path: [key], message: nameWords });
      }
    })
    .meta({ propertyNames: { pattern: CAPABILITY.source, not: { const: KUBERNETES } } });
}

const kubernetesWords =
  'is neither a Solution nor a capability; the field "kubernetes" says which versions of it a Solution supports';

const range = formedText(
  RANGE,
  'has to be a SemVer range, such as "^1.2", ">=1.12 <2" or "*"',
  (value) => isSemVer(value) || isVersionRange(value),
);

const ranges = named(range);

/** What a definition says of relations, under the names that it has for them. */
export const relationFields = {
  requires: ranges
    .optional()
    .describe('Solutions and capabilities that have to be in the cluster, each in a version of its range.'),
  'any-of': z
    .array(ranges.refine((value) => Object.keys(value).length > 0, 'names nothing').meta({ minProperties: 1 }))
    .max(64)
    .optional()
    .describe('Of each table, at least one has to be installed; the first possible one is chosen.'),
  recommends: ranges.optional().describe('Installed too if there is an archive of it, and if it changes nothing else.'),
  provides: named(semVerSchema).optional().describe('Capabilities that the Solution provides, with their versions.'),
  exclusive: z
    .array(name)
    .optional()
    .describe('Capabilities of "provides" that nothing else in the cluster may provide, such as cni.'),
  conflicts: ranges.optional().describe('Solutions and capabilities that must not be installed.'),
  replaces: ranges.optional().describe('Solutions that it replaces.'),
} as const;

/** The same as an archive and a cluster keep it. */
export const keptRelations = {
  requires: relationFields.requires,
  anyOf: relationFields['any-of'],
  recommends: relationFields.recommends,
  provides: relationFields.provides,
  exclusive: relationFields.exclusive,
  conflicts: relationFields.conflicts,
  replaces: relationFields.replaces,
} as const;

const kept = z.object(keptRelations);

/** Takes the relations out of a value that has more than these; those that say nothing are left out. */
export function relationsOf(value: Relations): Relations {
  const { requires, anyOf, recommends, provides, exclusive, conflicts, replaces } = value;
  return {
    ...some('requires', requires),
    ...some('anyOf', anyOf),
    ...some('recommends', recommends),
    ...some('provides', provides),
    ...some('exclusive', exclusive),
    ...some('conflicts', conflicts),
    ...some('replaces', replaces),
  };
}

/** Reads relations as a cluster keeps them, in JSON; none where they cannot be read. */
export function parseRelations(text: string): Relations {
  try {
    return relationsOf(kept.safeParse(JSON.parse(text)).data ?? {});
  } catch {
    return {};
  }
}

/** Returns whether a version asks for nothing and offers nothing. */
export function isUnrelated(value: Relations): boolean {
  return Object.keys(relationsOf(value)).length === 0;
}

function some<Name extends string, Value extends object>(field: Name, value: Value | undefined): object {
  return value === undefined || Object.keys(value).length === 0 ? {} : { [field]: value };
}
