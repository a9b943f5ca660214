import type { Archive } from '../../../parts/archives/index.ts';
import { judgeTrust, type Trust, type TrustVerdict } from '../../../parts/trust/index.ts';
import { fulfilledTypes } from '../attestations/index.ts';
import { untrusted } from './untrusted.ts';

/**
 * Judges an archive's signers, as `verify` and `install` do. It reads only the root, the manifests and the slots:
 * contents are hashed when they are used.
 */
export async function verdictOf(archive: Archive, trust: Trust): Promise<TrustVerdict> {
  const { rootBytes: root, metadata } = archive.catalog;
  const predicates = fulfilledTypes(archive.catalog);
  const images = archive.catalog.images.map(({ reference }) => reference);
  const evidence = { root, slots: await archive.slots(), bundles: [], metadata, predicates, images };
  return judgeTrust(evidence, trust);
}

/** Checks that an archive's signers are trusted now, as `verdictOf` judges them. Throws `not-trusted`. */
export async function requireTrusted(archive: Archive, trust: Trust): Promise<void> {
  const clock = Math.floor(Date.now() / 1000);
  const { trusted, findings } = await verdictOf(archive, { ...trust, clock });
  if (!trusted) throw untrusted(archive.path, findings);
}
