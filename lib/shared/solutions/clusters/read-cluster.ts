import type { Digest } from '../../../../formats/digest.ts';
import type { ClusterFacts } from '../../../kernel/content/index.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import { inputDigest } from '../../../kernel/plan/index.ts';
import type { ClusterTarget, InventoryEntry } from '../../../parts/clusters/index.ts';

/** A cluster as plans are made from it: what was read of it before anything is changed. */
export interface ReadCluster {
  /** How messages name it. */
  readonly name: string;
  /** Undefined where there is none to ask, as with a folder. */
  readonly facts: ClusterFacts | undefined;
  /** All Solutions that it remembers. */
  readonly inventory: readonly InventoryEntry[];
}

/** Reads what plans are made from of a cluster. Throws what the target throws where it cannot be reached. */
export async function readCluster(target: ClusterTarget, flow: Flow): Promise<ReadCluster> {
  const facts = await target.facts(flow);
  return { name: target.name, facts, inventory: await target.inventory(flow) };
}

/** Digests what is known of a cluster, for the inputs of steps; null where nothing is. */
export function factsDigest(facts: ClusterFacts | undefined): Digest | null {
  if (facts === undefined) return null;
  const { version, apiVersions, namespaced } = facts;
  const scopes = apiVersions.map((one) => {
    const [kind, ...rest] = one.split('/').reverse();
    // `v1/Kind` of the core group, `group/version/Kind` of any other; an `apiVersion` alone has no kind.
    const isKind = kind !== undefined && /^[A-Z]/.test(kind);
    return isKind ? [one, namespaced(rest.length === 2 ? rest[1]! : '', kind) ?? null] : [one, null];
  });
  return inputDigest([version ?? null, scopes]);
}
