import { type Digest, sha256 } from '../../../formats/digest.ts';
import { encodeJson } from '../../../formats/json.ts';
import { type ComponentProof, parseProof } from '../../../formats/solution/component-proof.ts';
import type { Lock } from '../../../formats/solution/lock.ts';
import type { ExaminedFor } from '../../shared/rendering/index.ts';
import type { Inputs } from './root.ts';

/** Raised where more is looked for, so that no earlier proof counts. */
const PROOF = 6;
/** The same for components that have probes. */
const PROBED = 7;

/** Digests all that decides what each component becomes. */
export function inputDigests({ components }: Inputs, { versions, apis }: ExaminedFor): Map<string, Digest> {
  return new Map(
    components.map(({ metadata, digest }) => [
      metadata.name,
      sha256(
        encodeJson([
          metadata.ready === undefined ? PROOF : PROBED,
          digest,
          metadata,
          versions.map((version) => version ?? null),
          ...(apis.length === 0 ? [] : [[...new Set(apis)].sort()]),
        ]),
      ),
    ]),
  );
}

/** Returns the proofs of a lock that are about the same inputs. */
export function provenIn(lock: Lock | undefined, digests: ReadonlyMap<string, Digest>): Map<string, ComponentProof> {
  return new Map(
    (lock?.components ?? []).flatMap(({ name, proof }) => {
      const known = proof === undefined ? undefined : parseProof(proof);
      return known && known.inputs === digests.get(name) ? [[name, known] as const] : [];
    }),
  );
}
