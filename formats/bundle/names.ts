import { createHash } from 'node:crypto';
import type { BundlePermission } from './csv.ts';
import { goJson } from './go-json.ts';

/** Most letters of a name. */
const LONGEST = 63;

/** Joins two parts of a name by `-`, and cuts the first where both are too long together, as OLM does. */
export function joinedName(base: string, suffix: string): string {
  // The `-` does not count, so a name may have one letter more than the longest.
  const isLong = base.length + suffix.length > LONGEST;
  return `${isLong ? base.slice(0, LONGEST - suffix.length - 1) : base}-${suffix}`;
}

/** Names rights by what they are: `BASE-DIGEST`, with the SHA-224 of their JSON in base 36, as OLM does. */
export function permissionName(base: string, { serviceAccountName, rules }: BundlePermission): string {
  const json = goJson({
    serviceAccountName: serviceAccountName ?? '',
    rules:
      (rules ?? null)?.map((rule) => ({
        verbs: rule.verbs ?? null,
        ...filled('apiGroups', rule.apiGroups),
        ...filled('resources', rule.resources),
        ...filled('resourceNames', rule.resourceNames),
        ...filled('nonResourceURLs', rule.nonResourceURLs),
      })) ?? null,
  });
  const digest = createHash('sha224').update(`${json}\n`).digest('hex');
  return joinedName(base, BigInt(`0x${digest}`).toString(36));
}

function filled(name: string, values: readonly string[] | null | undefined): Record<string, readonly string[]> {
  return values && values.length > 0 ? { [name]: values } : {};
}
