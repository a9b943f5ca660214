import type { Problem } from '../document/problems.ts';
import { RESERVED_NAMESPACE } from '../manifest/reserved.ts';
import { isRecord } from '../record.ts';
import { readLater, z } from '../schema.ts';
import { judged } from '../schema-words.ts';
import { isLabel, LABEL } from './names.ts';
import { siteFields } from './site-schema.ts';
import { LATEST, wantedSchema } from './wanted-version.ts';

/** Namespaces that every cluster has for Kubernetes itself, and that of solpack: no Solution is moved into them. */
const taken: readonly string[] = ['kube-node-lease', 'kube-public', 'kube-system', RESERVED_NAMESPACE];

/** Most characters of the name of an instance: it is the value of labels. */
const LONGEST = 63;

/**
 * The environments of a Solution: which version of it runs in which namespace. A version, a range of them, or `latest`.
 */
export type Environments = ReadonlyMap<string, string>;

const apart = z.strictObject({
  version: wantedSchema.nullish().meta({
    description: 'The version that runs there: latest, a version or a range, in quotes.',
    default: LATEST,
  }),
  ...siteFields,
});

/** Names the fields of an environment that is written as a mapping. */
export const environmentFields: readonly string[] = Object.keys(apart.shape);

/**
 * An environment as a configuration writes it: what is wanted there, or a mapping that says it beside what its site
 * sets.
 */
export type WrittenEnvironment = string | { readonly version?: string | null | undefined };

/** Accepts the environments of a Solution, as a configuration writes them. */
export const environmentsSchema: z.ZodRecord<z.ZodString, z.ZodType<WrittenEnvironment>> = z
  .record(
    z.string(),
    // Each form says what is wrong in its own fields, which a union does not.
    readLater(z.union([wantedSchema, apart])).transform((value, context): WrittenEnvironment => {
      const parsed = judged<WrittenEnvironment>(isRecord(value) ? apart : wantedSchema, value, 'YAML');
      if (parsed.success) return parsed.data;
      for (const issue of parsed.error.issues) context.issues.push(issue as never);
      return z.NEVER;
    }),
  )
  .meta({ propertyNames: { pattern: LABEL.source, not: { enum: taken } } });

/** Returns what is wanted in an environment. */
export function wantedIn(written: WrittenEnvironment): string {
  return typeof written === 'string' ? written : (written.version ?? LATEST);
}

/** Names what a Solution has in one of its environments: `guestbook.team-a`; without one, the Solution itself. */
export function instanceName(solution: string, environment: string | undefined): string {
  return environment === undefined ? solution : `${solution}.${environment}`;
}

/** Tells the Solution and the environment of an instance: names of Solutions and of namespaces have no dots. */
export function instanceParts(name: string): { readonly name: string; readonly environment?: string } {
  const dot = name.indexOf('.');
  return dot < 0 ? { name } : { name: name.slice(0, dot), environment: name.slice(dot + 1) };
}

/** Returns whether an instance is what a user names: the same, or the Solution of it. */
export function isInstanceOf(instance: string, named: string): boolean {
  return instance === named || instance.startsWith(`${named}.`);
}

/**
 * Finds the namespaces that cannot be an environment of a Solution. `path` is that of its environments in the document.
 */
export function wrongEnvironments(solution: string, namespaces: readonly string[], path: string): Problem[] {
  return namespaces.flatMap((namespace): Problem[] => {
    const message = reasonAgainst(solution, namespace);
    return message === undefined ? [] : [{ path: `${path}.${namespace}`, message, ofName: true }];
  });
}

/** Returns why a namespace cannot be an environment of a Solution; undefined where it can. */
export function reasonAgainst(solution: string, namespace: string): string | undefined {
  if (!isLabel(namespace)) return 'has to be the name of a namespace, an RFC 1123 label';
  if (taken.includes(namespace)) return `${namespace} is not a namespace for environments: it belongs to others`;
  const name = instanceName(solution, namespace);
  return name.length > LONGEST
    ? `${name} has more than ${LONGEST} characters: give the namespace a shorter name`
    : undefined;
}
