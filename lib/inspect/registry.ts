import type { Catalog } from '../archives/index.ts';
import type { Flow } from '../flow.ts';
import type { RegistryPlace } from '../place.ts';
import { attestationsIn } from '../solutions/attestations-in-registry.ts';
import { atRoot, catalogAt, signaturesOf, slotsOf } from '../solutions/in-registry.ts';
import { type InspectedAttestation, inspectedAttestations } from './attestations.ts';

/** What is known of a Solution in a registry without its payload. */
export interface SolutionInRegistry {
  /** The reference that it was asked for by. */
  readonly path: string;
  readonly catalog: Catalog;
  /** Bytes of all that it consists of, signatures aside. */
  readonly size: number;
  /** The signature slots of an archive of it. */
  readonly slots: readonly Uint8Array[];
  readonly attestations: readonly InspectedAttestation[];
}

/** Reads manifests, metadata and signatures of a Solution in a registry. Throws `solution-absent`, `archive-invalid`. */
export function findInRegistry(place: RegistryPlace, flow: Flow): Promise<SolutionInRegistry> {
  return atRoot(place, flow, async (found) => {
    const { subject, source, root } = found;
    const catalog = await catalogAt(found, flow);
    const slots = slotsOf(await signaturesOf(source, root, catalog, subject, flow), catalog);
    const size = [root, ...catalog.contents].reduce((sum, content) => sum + content.size, 0);
    const { headOf } = attestationsIn(source, catalog, subject, flow);
    return { path: subject, catalog, size, slots, attestations: await inspectedAttestations(catalog, headOf) };
  });
}
