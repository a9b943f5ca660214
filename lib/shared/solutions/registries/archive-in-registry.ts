import { memory, type ReadAt } from '../../../../formats/bytes.ts';
import { emptySlot, fillSlot } from '../../../../formats/sigstore/slot.ts';
import type { RegistryPlace } from '../../../kernel/content/index.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import {
  type Archive,
  type CarrierFile,
  type CatalogAttestation,
  carrierFiles,
  carriers,
} from '../../../parts/archives/index.ts';
import { attestationsIn, type BundleOf } from '../attestations/index.ts';
import { listedFiles } from '../tree/index.ts';
import { catalogAt, findRoot, signaturesOf, slotsOf } from './in-registry.ts';
import { type StreamedReads, streamedReads } from './streamed-reads.ts';

/**
 * Opens the archive that a Solution in a registry would be: its contents are read from the repository, by their
 * digests, when they are asked for, and its slots have the signatures that are referrers. The reference is resolved
 * once: a tag that moves later moves nothing here. Throws `solution-absent`, `archive-invalid`, and what the registry
 * answers.
 */
export async function openInRegistry(place: RegistryPlace, flow: Pick<Flow, 'signal' | 'onEvent'>): Promise<Archive> {
  const found = await findRoot(place, flow);
  const { subject: path, source, root } = found;
  try {
    const catalog = await catalogAt(found, flow);
    const slots = slotsOf(await signaturesOf(source, root, catalog, path, flow), catalog);
    const { bundleOf } = attestationsIn(source, catalog, path, flow);
    const reads = streamedReads(source, flow.signal);
    const bytesOf = readersOf(reads, slots, attestationSlots(bundleOf));
    const files = listedFiles(path, carrierFiles(catalog, carriers.iso), bytesOf);
    return {
      ...files,
      path,
      catalog,
      source,
      content: async (descriptor) => reads.of(descriptor),
      slots: async () => slots,
      [Symbol.asyncDispose]: async () => {
        await reads[Symbol.asyncDispose]();
        await source.close();
      },
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/**
 * Makes what gives random access to the bytes of a file: those that are known, those of a slot, and content in the
 * registry.
 */
function readersOf(
  reads: StreamedReads,
  slots: readonly Uint8Array[],
  slotOf: (attestation: CatalogAttestation) => Promise<Uint8Array>,
): (file: CarrierFile) => ReadAt {
  return ({ content, size }) => {
    if (content.kind === 'bytes') return memory(content.bytes);
    if (content.kind === 'blob') return reads.of(content.descriptor);
    const { slot } = content;
    if (typeof slot === 'number') return memory(slots[slot]!);
    return { size, read: async (offset, length) => memory(await slotOf(slot)).read(offset, length) };
  };
}

/** Makes the slots of attestations when they are first read. */
function attestationSlots(bundleOf: BundleOf): (attestation: CatalogAttestation) => Promise<Uint8Array> {
  const known = new Map<string, Promise<Uint8Array>>();
  const make = async (attestation: CatalogAttestation): Promise<Uint8Array> => {
    const bundle = await bundleOf(attestation);
    return bundle ? fillSlot(bundle, attestation.slotSize) : emptySlot(attestation.slotSize);
  };
  return (attestation) => {
    const slot = known.get(attestation.name) ?? make(attestation);
    known.set(attestation.name, slot);
    // The registry may be back when it is read again.
    slot.catch(() => known.delete(attestation.name));
    return slot;
  };
}
