import type { Archive } from '../archives/open.ts';
import { judgeTrust, type Trust } from '../trust/index.ts';
import { fulfilledTypes } from './predicate-types.ts';
import { untrusted } from './untrusted.ts';

/**
 * Checks that an archive's signers are trusted now, by the same judgement as `verify` and `install`. It reads only the root, the
 * manifests and the slots: contents are hashed when they are used. Throws `not-trusted`.
 */
export async function requireTrusted(archive: Archive, trust: Trust): Promise<void> {
  const { rootBytes: root, metadata } = archive.catalog;
  const predicates = fulfilledTypes(archive.catalog);
  const images = archive.catalog.images.map(({ reference }) => reference);
  const evidence = { root, slots: await archive.slots(), bundles: [], metadata, predicates, images };
  const clock = Math.floor(Date.now() / 1000);
  const { trusted, findings } = judgeTrust(evidence, { ...trust, clock });
  if (!trusted) throw untrusted(archive.path, findings);
}
