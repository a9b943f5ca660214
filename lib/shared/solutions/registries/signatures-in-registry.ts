import { collect } from '../../../../formats/bytes.ts';
import { type Digest, verified } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { bundleMediaType, parseBundle } from '../../../../formats/sigstore/bundle.ts';
import { isStatement, slotOf } from '../../../../formats/sigstore/referrer.ts';
import { fillSlot, readSlot } from '../../../../formats/sigstore/slot.ts';
import { sizePair } from '../../../../formats/size-words.ts';
import { Budget, fetchManifest, type NamedSource } from '../../../kernel/content/index.ts';
import { SolpackError } from '../../../kernel/events/index.ts';

/** A signature that a registry has of a root. */
export interface FoundSignature {
  /** Of its manifest. */
  readonly digest: Digest;
  readonly bundle: Uint8Array;
  /** The slot that it had in the archive that was pushed; undefined where it was made in the registry. */
  readonly slot: number | undefined;
}

/** How many referrers of a root are looked at. */
const MOST = 256;

/**
 * Reads the signatures of `root` that fit into slots of `size` bytes, in an order that does not depend on the
 * registry's. `onSkip` is called with referrers that look like signatures but cannot be held by an archive.
 */
export async function findSignatures(
  source: NamedSource,
  root: Descriptor,
  size: number,
  options: { signal: AbortSignal; onSkip: (message: string) => void },
): Promise<FoundSignature[]> {
  const listed = (await source.referrers?.(root, bundleMediaType, options.signal)) ?? [];
  const found: FoundSignature[] = [];
  const budget = new Budget();
  // What says that it holds a statement is for an attestation's slot.
  const sorted = listed
    .filter(({ annotations }) => !isStatement(annotations))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1));
  for (const descriptor of sorted.slice(0, MOST)) {
    try {
      const signature = await readSignature(source, descriptor, root, size, budget, options.signal);
      if (signature) found.push(signature);
    } catch (error) {
      const unusable = error instanceof FormatError || (error instanceof SolpackError && isContent(error));
      if (!unusable) throw error;
      options.onSkip(`the signature ${descriptor.digest} is skipped: ${error.message}`);
    }
  }
  if (sorted.length > MOST) options.onSkip(`${sorted.length - MOST} more signatures are skipped`);
  return found;
}

async function readSignature(
  source: NamedSource,
  descriptor: Descriptor,
  root: Descriptor,
  size: number,
  budget: Budget,
  signal: AbortSignal,
): Promise<FoundSignature | undefined> {
  const { value } = await fetchManifest(source, descriptor, signal, budget);
  if (isStatement(value.annotations)) return undefined;
  const [layer, ...more] = value.kind === 'manifest' ? value.layers : [];
  if (!layer || more.length > 0 || layer.mediaType !== bundleMediaType) {
    throw new FormatError('bundle-invalid', 'it does not hold one Sigstore bundle');
  }
  if (value.subject?.digest !== root.digest) throw new FormatError('bundle-invalid', `it is not about ${root.digest}`);
  if (layer.size >= size) {
    const [own, slot] = sizePair(layer.size, size);
    throw new FormatError('bundle-invalid', `it has ${own}, a slot has ${slot}`);
  }
  const bundle = await collect(verified(source.open(layer, { signal }), layer), size);
  parseBundle(bundle);
  // A slot holds one line: what would not be read back from one is none that it can hold.
  readSlot(fillSlot(bundle, size));
  return { digest: descriptor.digest, bundle, slot: slotOf(value.annotations) };
}

function isContent({ code }: SolpackError): boolean {
  return code === 'content-mismatch' || code === 'image-unsupported';
}

/**
 * Gives each signature one of `count` slots: the slot that it had before, or else the first free one. A signature that
 * is listed twice gets one slot. Signatures without a slot are `left`.
 */
export function placeSignatures(
  signatures: readonly FoundSignature[],
  count: number,
): { readonly bundles: readonly (Uint8Array | undefined)[]; readonly left: readonly FoundSignature[] } {
  const bundles: (Uint8Array | undefined)[] = Array.from({ length: count }, () => undefined);
  const homeless = signatures.filter(({ slot, bundle }) => {
    if (slot === undefined || slot >= count || bundles[slot] !== undefined) return true;
    bundles[slot] = bundle;
    return false;
  });
  const left: FoundSignature[] = [];
  for (const signature of homeless) {
    if (bundles.some((bundle) => bundle && Buffer.from(bundle).equals(signature.bundle))) continue;
    const free = bundles.indexOf(undefined);
    if (free < 0) left.push(signature);
    else bundles[free] = signature.bundle;
  }
  return { bundles, left };
}
