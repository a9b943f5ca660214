import { collect } from '../../../../formats/bytes.ts';
import { type Digest, verified } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { bundleMediaType } from '../../../../formats/sigstore/bundle.ts';
import { attestationNameOf } from '../../../../formats/sigstore/referrer.ts';
import { fillSlot, readSlot } from '../../../../formats/sigstore/slot.ts';
import { sizePair } from '../../../../formats/size-words.ts';
import { Budget, fetchManifest, type NamedSource } from '../../../kernel/content/index.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { Catalog, CatalogAttestation } from '../../../parts/archives/index.ts';
import { judgeStatement } from '../../../parts/trust/index.ts';
import type { BundleOf } from './check-attestations.ts';
import { readStatement, subjectOf } from './statement.ts';

/** How many referrers of one subject are looked at. */
const MOST = 256;

/** The bundle of a signed statement in a repository. */
interface Offer {
  /** The attestation that it says it is of. */
  readonly name: string;
  readonly bundle: Descriptor;
}

/** Signed statements that a repository has of a Solution. */
export interface AttestationsInRegistry {
  /**
   * Reads the bundle for the slot of an attestation: of those that hold its statement, the one with the lowest digest.
   */
  readonly bundleOf: BundleOf;
  /** Reads the first bytes of that bundle, unchecked; none where there is no bundle. */
  readonly headOf: (attestation: CatalogAttestation) => Promise<Uint8Array>;
}

/**
 * Finds signed statements among the referrers of their subjects. A notice reports each that is none of the Solution's.
 */
export function attestationsIn(
  source: NamedSource,
  catalog: Catalog,
  subject: string,
  { signal, onEvent }: Pick<Flow, 'signal' | 'onEvent'>,
): AttestationsInRegistry {
  const known = new Map<Digest, Promise<readonly Offer[]>>();
  const budget = new Budget();
  const offersFor = async (attestation: CatalogAttestation): Promise<readonly Descriptor[]> => {
    const about = subjectOf(catalog, attestation);
    const offers = known.get(about.digest) ?? offersAbout(source, about, budget, signal);
    known.set(about.digest, offers);
    return (await offers).filter(({ name }) => name === attestation.name).map(({ bundle }) => bundle);
  };
  return {
    bundleOf: async (attestation) => {
      for (const bundle of await offersFor(attestation)) {
        try {
          return await readBundle(source, catalog, attestation, bundle, signal);
        } catch (error) {
          if (!isContent(error)) throw error;
          const message = `the signed statement ${bundle.digest} of ${attestation.name} is skipped: ${error.message}`;
          onEvent({ type: 'notice', subject, message });
        }
      }
      return undefined;
    },
    headOf: async (attestation) => {
      const [bundle] = await offersFor(attestation);
      if (!bundle) return new Uint8Array();
      for await (const chunk of source.open(bundle, { signal })) return chunk;
      return new Uint8Array();
    },
  };
}

async function offersAbout(
  source: NamedSource,
  about: Descriptor,
  budget: Budget,
  signal: AbortSignal,
): Promise<readonly Offer[]> {
  const listed = (await source.referrers?.(about, bundleMediaType, signal)) ?? [];
  const offers: Offer[] = [];
  for (const descriptor of [...listed].sort((a, b) => (a.digest < b.digest ? -1 : 1)).slice(0, MOST)) {
    const offer = await readOffer(source, descriptor, about, budget, signal);
    if (offer) offers.push(offer);
  }
  return offers;
}

async function readOffer(
  source: NamedSource,
  descriptor: Descriptor,
  about: Descriptor,
  budget: Budget,
  signal: AbortSignal,
): Promise<Offer | undefined> {
  try {
    const { value } = await fetchManifest(source, descriptor, signal, budget);
    const [bundle, ...more] = value.kind === 'manifest' ? value.layers : [];
    const name = attestationNameOf(value.annotations);
    const isOne = bundle?.mediaType === bundleMediaType && more.length === 0 && value.subject?.digest === about.digest;
    return isOne && name !== undefined ? { name, bundle } : undefined;
  } catch (error) {
    // What is not a manifest is none of a statement either.
    if (isContent(error)) return undefined;
    throw error;
  }
}

async function readBundle(
  source: NamedSource,
  catalog: Catalog,
  attestation: CatalogAttestation,
  bundle: Descriptor,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { slotSize } = attestation;
  if (bundle.size >= slotSize) {
    const [own, slot] = sizePair(bundle.size, slotSize);
    throw new FormatError('bundle-invalid', `it has ${own}, its slot has ${slot}`);
  }
  const bytes = await collect(verified(source.open(bundle, { signal }), bundle), slotSize);
  const verdict = judgeStatement(await readStatement(source, catalog, attestation, signal), bytes, []);
  if (verdict.kind === 'invalid') throw new FormatError('bundle-invalid', verdict.reason);
  // A slot holds one line: what would not be read back from one is none that it can hold.
  readSlot(fillSlot(bytes, slotSize));
  return bytes;
}

function isContent(error: unknown): error is FormatError | SolpackError {
  if (error instanceof FormatError) return true;
  return error instanceof SolpackError && (error.code === 'content-mismatch' || error.code === 'image-unsupported');
}
