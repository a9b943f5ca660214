import { type Digest, isDigest, measure } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { joined } from '../../../formats/tree.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { type Catalog, cutEnd, entryBytes, type OpenedCarrier, type OpenedFiles } from '../../parts/archives/index.ts';
import { CUT } from './cut.ts';
import { placeOf, type Underway, type Verdicts } from './hash-blobs.ts';

/**
 * Hashes every file below `blobs/sha256` against its name: what is left to check where the root cannot be followed.
 * What was hashed `early` is not hashed again.
 */
export async function hashBlobs(opened: OpenedFiles, flow: Flow, early?: Underway | undefined): Promise<Finding[]> {
  const verdicts: Verdicts = (await early?.finish()) ?? new Map();
  const findings: Finding[] = [];
  try {
    for await (const entry of opened.tree.walk('blobs/sha256')) {
      flow.signal.throwIfAborted();
      const digest = `sha256:${entry.path.slice(entry.path.lastIndexOf('/') + 1)}`;
      if (entry.type !== 'file' || !isDigest(digest)) continue;
      const [extent, ...more] = joined(entry.extents);
      const isWhole = extent !== undefined && more.length === 0;
      const verdict = isWhole ? verdicts.get(placeOf({ digest, offset: extent.offset, size: entry.size })) : undefined;
      if (verdict?.kind === 'done') continue;
      const hashed = verdict?.kind === 'digest' ? verdict.found : undefined;
      const found = hashed ?? (await measure(entryBytes(opened.file, entry))).digest;
      if (found !== digest) findings.push(mismatch(digest, found));
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.push({ code: 'unreadable-tree', subject: 'blobs', message: error.message });
  }
  return findings;
}

/** Returns what a carrier lacks at its end: that is one finding, whatever else is not there for that reason. */
export function missingEnd(opened: OpenedCarrier, catalog?: Catalog): Finding[] {
  const cut = cutEnd(opened, catalog);
  return cut === undefined ? [] : [{ code: 'truncated', subject: CUT, message: `${cut}; copy it again` }];
}

function mismatch(expected: Digest, found: Digest): Finding {
  return { code: 'blob-mismatch', subject: expected, message: `its bytes have the digest ${found}` };
}
