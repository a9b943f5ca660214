import { join } from 'node:path';
import { fillSlot } from '../../formats/sigstore/slot.ts';
import type { Extent } from '../../formats/tree.ts';
import { archivePaths } from '../../lib/parts/archives/index.ts';
import { withArchive } from '../support/packing.ts';
import type { Format, Stage } from './stage.ts';

/** Where the first two signature slots, the slot of the provenance and the root of an archive lie. */
export interface Places {
  readonly provenance: Extent;
  readonly slots: readonly [Extent, Extent];
  readonly root: Extent;
}

/** Finds them in an archive of the stage. */
export function placesIn(stage: Stage, archive: string): Promise<Places> {
  return withArchive(join(stage.folder, archive), async ({ tree }) => {
    const extent = async (path: string): Promise<Extent> => (await tree.lookup(path))!.extents[0]!;
    const [first, second] = [await extent(archivePaths.slot(0)), await extent(archivePaths.slot(1))];
    const provenance = await extent('.solpack/attestations/provenance.sigstore.json');
    return { slots: [first, second], provenance, root: await extent(archivePaths.root) };
  });
}

/** The bytes of an extent. */
export function cut(bytes: Buffer, { offset, size }: Extent): Buffer {
  return bytes.subarray(offset, offset + size);
}

/** What was signed, and what the first slot holds; puts other bundles into slots. */
export interface Signed {
  readonly root: Buffer;
  /** The bundle in the first slot, parsed. */
  readonly bundle: SignedBundle;
  /** The bundle of the provenance, as it is. */
  readonly provenance: string;
  put(content: Uint8Array | string | object, slot?: 0 | 1 | 'provenance'): void;
}

/** A Sigstore bundle as solpack writes it. */
export interface SignedBundle {
  readonly mediaType: string;
  readonly verificationMaterial: { readonly publicKey: { readonly hint: string } };
  readonly messageSignature: {
    readonly messageDigest: { readonly algorithm: string; readonly digest: string };
    readonly signature: string;
  };
}

/** Looks at the signatures in the bytes of a good archive. */
export async function signedIn(stage: Stage, bytes: Buffer, format: Format): Promise<Signed> {
  const { slots, provenance, root } = await placesIn(stage, `good.${format}`);
  return {
    root: cut(bytes, root),
    bundle: JSON.parse(cut(bytes, slots[0]).toString()),
    provenance: cut(bytes, provenance).toString().trimEnd(),
    put: (content, slot = 0) => {
      const place = slot === 'provenance' ? provenance : slots[slot];
      const text = typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
      cut(bytes, place).set(fillSlot(Buffer.from(text), place.size));
    },
  };
}
