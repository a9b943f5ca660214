import type { RegistryPlace } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { Catalog } from '../../parts/archives/index.ts';
import { attestationsIn } from '../../shared/solutions/attestations/index.ts';
import { atRoot, catalogAt, signaturesOf, slotsOf } from '../../shared/solutions/registries/index.ts';
import { type InspectedAttestation, inspectedAttestations } from './attestations.ts';

/** A Solution in a registry, as far as it is known without its payload. */
export interface SolutionInRegistry {
  /** The reference that the user gave. */
  readonly path: string;
  readonly catalog: Catalog;
  /** Bytes of everything that it consists of, without signatures. */
  readonly size: number;
  /** The signature slots that an archive of it would have. */
  readonly slots: readonly Uint8Array[];
  readonly attestations: readonly InspectedAttestation[];
}

/**
 * Reads the manifests, metadata and signatures of a Solution in a registry. Throws `solution-absent`,
 * `archive-invalid`.
 */
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
