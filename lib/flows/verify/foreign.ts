import type { Digest } from '../../../formats/digest.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { Crew } from '../../kernel/workers/index.ts';
import type { Archive, ForeignMedium, OpenedFiles } from '../../parts/archives/index.ts';
import { compareChecksum, compareMedium, unprovedOf } from './medium.ts';
import type { VerifyRequest } from './request.ts';
import { type CheckedMedium, type Verification, verificationOf } from './verification.ts';

/** An archive that was made of a medium. */
type MediumArchive = Archive & { readonly foreign: ForeignMedium };

/** Returns whether files are an archive that was made of a medium. */
export function isMedium(opened: OpenedFiles & Partial<Archive>): opened is MediumArchive {
  return opened.foreign !== undefined;
}

/** What is asked of a medium. */
interface Asked extends Omit<VerifyRequest, 'archive'> {
  readonly later?: ReadonlySet<Digest>;
  readonly crew?: Crew | undefined;
}

/**
 * Verifies a medium that solpack did not pack for what it allows: images by the digests in their manifests, the whole
 * by a checksum beside it, and the root that was made of it by who has signed that. What neither vouches for is a
 * finding.
 */
export async function verifyMedium(
  archive: MediumArchive,
  { trust, bundles = [], later = new Set(), crew }: Asked,
  { onBytes, ...flow }: Flow & { readonly onBytes: (count: number) => void },
): Promise<Verification> {
  const { catalog, foreign, source } = archive;
  const findings = await compareMedium(archive, later, { crew, signal: flow.signal, onBytes });
  const { checksum, findings: whole } = await compareChecksum(archive, flow);
  const slots = await archive.slots();
  const bundleOf = async (): Promise<undefined> => undefined;
  const size = foreign.size;
  const found = { rootBytes: catalog.rootBytes, catalog, findings: [...findings, ...whole], slots, bundles };
  const result = await verificationOf({ ...found, source, bundleOf, size, contentOnly: true }, trust, flow.signal);
  const isVouched = result.signers.length > 0 || (checksum !== undefined && whole.length === 0);
  const unproved = isVouched ? [] : unprovedOf(foreign);
  const medium: CheckedMedium = {
    kind: foreign.kind,
    era: foreign.era,
    unproved: isVouched ? [] : foreign.unproved,
    ...(checksum ? { checksum } : {}),
  };
  const all = [...result.findings, ...unproved];
  return { ...result, ok: all.length === 0, findings: all, medium };
}
