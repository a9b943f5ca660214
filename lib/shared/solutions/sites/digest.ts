import { createHmac, randomBytes } from 'node:crypto';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { inputDigest } from '../../../kernel/plan/index.ts';
import { type SiteInputs, siteOf } from './inputs.ts';

/** The key of this process, by which secrets stand in the inputs of its steps. */
const ownKey = randomBytes(32);

/**
 * Digests what a site sets for a component: values, patches, what it keeps, and where secrets come from. With a `key`,
 * which has to be secret itself, the secrets count as well (HMAC-SHA-256, RFC 2104): without one, whoever reads the
 * digest could try weak ones.
 */
export function componentSiteDigest({ values, secrets, patches, keepDrawn }: SiteInputs, key?: Uint8Array): Digest {
  const plain = inputDigest([
    values.map((one) => one.values),
    secrets.map(({ path, origin }) => [path, origin]),
    patches.map(({ documents, target, options }) => [documents, target, options]),
    ...(keepDrawn === undefined ? [] : [keepDrawn]),
  ]);
  if (key === undefined) return plain;
  const keyed = createHmac('sha256', key).update(JSON.stringify([plain, secrets.map(({ value }) => value)]));
  return sha256(keyed.digest());
}

/**
 * Digests what a site sets for a Solution, or for one of its environments, without its secrets; undefined where that is
 * nothing.
 */
export function solutionSiteDigest(sites: readonly SiteInputs[], instance: string): Digest | undefined {
  const components = new Set(sites.map(({ component }) => component));
  const own = [...components].flatMap((component) => siteOf(sites, instance, component) ?? []);
  if (own.length === 0) return undefined;
  return inputDigest(own.map((one) => [one.component, componentSiteDigest(one)]).sort());
}

/**
 * Digests all that a site sets, for the inputs of steps. Where it has secrets, only this process has the same digest of
 * them.
 */
export function sitesDigest(sites: readonly SiteInputs[]): Digest {
  const digestOf = (one: SiteInputs): Digest => componentSiteDigest(one, one.secrets.length > 0 ? ownKey : undefined);
  return inputDigest(sites.map((one) => [one.solution, one.component, digestOf(one)]));
}
