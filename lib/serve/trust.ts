import type { Archive } from '../archives/index.ts';
import { fulfilledTypes } from '../solutions/predicate-types.ts';
import { untrusted } from '../solutions/untrusted.ts';
import { judgeTrust, type Trust } from '../trust/index.ts';

/**
 * Makes sure that those who signed an archive are trusted now, by the function that `verify` and `install` ask as well. Nothing
 * but its root, manifests and slots is read: contents are hashed as they are sent. Throws `not-trusted`.
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
