import { text } from '../bytes.ts';
import { among, locateProblems } from '../document/fields.ts';
import type { Problem } from '../document/problems.ts';
import { decodeToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { PositionedError } from '../error.ts';
import { z } from '../schema.ts';
import { TextLines } from '../text-lines.ts';
import { trimmedEnd } from '../trim.ts';

const NAME = 'registries.conf';
const CODE = 'toml-invalid';

/** The place where a registry, or a part of one, really is. */
export interface RegistryEndpoint {
  /** The host, followed by a path in it if there is one. */
  readonly location: string;
  /** Whether it may be reached without TLS, or with any certificate. */
  readonly insecure: boolean;
}

/** Another place that has all or some of the content. */
export interface MirrorEndpoint extends RegistryEndpoint {
  /** For which names it is asked: all, only those with a digest, or only those with a tag. */
  readonly pulls: 'all' | 'digest-only' | 'tag-only';
}

/** What containers-registries.conf(5) says about the names that begin with `prefix`. */
export interface RegistryRule extends RegistryEndpoint {
  /** Host and path, or `*.` and a domain. */
  readonly prefix: string;
  readonly blocked: boolean;
  readonly mirrors: readonly MirrorEndpoint[];
}

const mirror = z.looseObject({
  location: z.string().min(1),
  insecure: z.boolean().default(false),
  'pull-from-mirror': z.enum(['all', 'digest-only', 'tag-only', '']).optional(),
});
const registry = z.looseObject({
  prefix: z.string().optional(),
  location: z.string().optional(),
  insecure: z.boolean().default(false),
  blocked: z.boolean().default(false),
  'mirror-by-digest-only': z.boolean().default(false),
  mirror: z.array(mirror).default([]),
});
const document = z.looseObject({ registry: z.array(registry).default([]) });

/**
 * Parses a `registries.conf` of version 2. Unknown settings are skipped, those of version 1 among them. Throws
 * `FormatError` `toml-invalid`.
 */
export function parseRegistriesConf(bytes: Uint8Array): RegistryRule[] {
  const { registry: written } = decodeToml(bytes, document, NAME);
  const problems: Problem[] = [];
  const rules = written.map((one, at) =>
    ruleOf(one, (field, message) => problems.push({ path: `registry.${at}${field}`, message })),
  );
  if (problems.length === 0) return rules;
  const source = text(bytes, CODE);
  throw new PositionedError(
    CODE,
    locateProblems(new TextLines(source), among(locateToml(source)), problems).map((problem) => ({
      ...problem,
      message: `${NAME}: ${problem.message}`,
    })),
  );
}

/**
 * Returns whether a rule applies to the repository `name`, which begins with its host (containers-registries.conf(5),
 * "Choosing a Registry").
 */
export function matches({ prefix }: RegistryRule, name: string): boolean {
  if (prefix.startsWith('*.')) return name.split('/')[0]!.replace(/:\d+$/, '').endsWith(prefix.slice(1));
  return name === prefix || name.startsWith(`${prefix}/`);
}

/** Returns `name` at an endpoint of its rule: the location replaces the rule's prefix. */
export function rewritten(rule: RegistryRule, { location }: RegistryEndpoint, name: string): string {
  if (!rule.prefix.startsWith('*.')) return `${location}${name.slice(rule.prefix.length)}`;
  if (location === rule.prefix) return name;
  const slash = name.indexOf('/');
  return `${location}${slash < 0 ? '' : name.slice(slash)}`;
}

function ruleOf(value: z.infer<typeof registry>, refuse: (field: string, message: string) => void): RegistryRule {
  const prefix = trimmed(value.prefix || value.location || '');
  const location = trimmed(value.location || prefix);
  if (prefix === '') refuse('', 'has neither prefix nor location');
  for (const [field, place] of [
    ['.prefix', prefix.replace(/^\*\./, '')],
    ['.location', location.replace(/^\*\./, '')],
    ...value.mirror.map((at, index) => [`.mirror.${index}.location`, at.location] as const),
  ] as const) {
    if (place === '' || /^[^\s/:@]+(?::\d+)?(?:\/[^\s:@]*)?$/.test(place)) continue;
    refuse(field, `has to be a host, or a host and a path, not ${JSON.stringify(place)}`);
  }
  const byDigest = value['mirror-by-digest-only'];
  const mirrors = value.mirror.map((at) => {
    const pulls = byDigest ? 'digest-only' : at['pull-from-mirror'] || 'all';
    return { location: trimmed(at.location), insecure: at.insecure, pulls } as const;
  });
  return { prefix, location, insecure: value.insecure, blocked: value.blocked, mirrors };
}

function trimmed(place: string): string {
  return trimmedEnd(place, '/');
}
