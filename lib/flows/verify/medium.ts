import { basename, dirname, join } from 'node:path';
import { slice } from '../../../formats/bytes.ts';
import { type Digest, measure, verified } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { checksumIn, checksumNames } from '../../../formats/metalk8s/checksums.ts';
import { sizePair } from '../../../formats/size-words.ts';
import { joined } from '../../../formats/tree.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import { isThere } from '../../kernel/machine/index.ts';
import { type Archive, entryBytes, type ForeignMedium, type OpenedFiles } from '../../parts/archives/index.ts';
import { compareBlobs, type Reading } from './blobs.ts';
import type { PlacedBlob } from './hash-blobs.ts';
import type { CheckedMedium } from './verification.ts';

/** How many files a finding names. */
const SHOWN = 3;

/**
 * Checks what a medium reports its own bytes: that all files named by digests have these, and that all images are
 * there.
 */
export async function compareMedium(
  { file, foreign, catalog }: Archive & { readonly foreign: ForeignMedium },
  later: ReadonlySet<Digest>,
  how: Omit<Reading, 'file' | 'later'>,
): Promise<Finding[]> {
  const named = foreign.named.filter(({ digest }) => !later.has(digest));
  const there = new Map(foreign.named.map(({ digest, entry }) => [digest, entry]));
  const faults = foreign.faults.map(
    ({ path, message }): Finding => ({ code: 'image-unusable', subject: path, message }),
  );
  const lacking = catalog.imageBlobs.flatMap(({ digest, size }): Finding[] => {
    const entry = there.get(digest);
    if (entry?.size === size) return [];
    if (entry === undefined)
      return [
        {
          code: 'missing-file',
          subject: digest,
          message: 'an image names it, and no file below images/ has that name',
        },
      ];
    const [has, wanted] = sizePair(entry.size, size);
    return [{ code: 'structure-mismatch', subject: entry.path, message: `has ${has} instead of ${wanted}` }];
  });
  return [...faults, ...lacking, ...(await compareNamed(file, named, how))];
}

/** Hashes files that are named by their digests, each run of bytes once. */
export async function compareNamed(
  file: OpenedFiles['file'],
  named: ForeignMedium['named'],
  how: Omit<Reading, 'file'>,
): Promise<Finding[]> {
  const blobs = new Map<string, PlacedBlob>();
  const findings: Finding[] = [];
  for (const { digest, entry } of named) {
    const [extent, ...more] = joined(entry.extents);
    const { path, size } = entry;
    if (more.length === 0)
      blobs.set(`${digest} ${extent?.offset}`, { digest, offset: extent?.offset ?? 0, size, path });
    else findings.push(...(await compareScattered(file, digest, entry)));
  }
  return [...findings, ...(await compareBlobs([...blobs.values()], { ...how, file }))];
}

async function compareScattered(
  file: OpenedFiles['file'],
  digest: Digest,
  entry: ForeignMedium['named'][number]['entry'],
): Promise<Finding[]> {
  try {
    for await (const _ of verified(entryBytes(file, entry), { digest, size: entry.size }));
    return [];
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return [{ code: 'blob-mismatch', subject: entry.path, message: error.message }];
  }
}

/**
 * Compares a whole medium with the file of checksums that lies beside it, where one does and is about it. Of a folder,
 * a device and what is on a server nothing is known.
 */
export async function compareChecksum(
  { file, foreign: { format, size } }: Pick<Archive, 'file'> & { readonly foreign: ForeignMedium },
  { signal }: Pick<Flow, 'signal'>,
): Promise<{ readonly checksum: CheckedMedium['checksum']; readonly findings: readonly Finding[] }> {
  if (!format || file.prefetch || file.isDevice) return { checksum: undefined, findings: [] };
  const name = basename(file.path);
  for (const beside of checksumNames(name).map((one) => join(dirname(file.path), one))) {
    const digest = (await isThere(beside))
      ? checksumIn(Buffer.from(await readFile(beside)).toString(), name)
      : undefined;
    if (digest === undefined) continue;
    signal.throwIfAborted();
    const { digest: found } = await measure(slice(file, 0, size));
    const checksum = { path: beside, digest };
    if (found === digest) return { checksum, findings: [] };
    const message = `has the SHA-256 ${found}, and ${basename(beside)} says ${digest}`;
    return { checksum, findings: [{ code: 'checksum-mismatch', subject: name, message }] };
  }
  return { checksum: undefined, findings: [] };
}

/** Reports files that nothing vouches for: neither a signature that counts nor a checksum of the whole. */
export function unprovedOf({ unproved }: Pick<ForeignMedium, 'unproved'>): Finding[] {
  const [first, ...more] = unproved;
  if (first === undefined) return [];
  const also = more.slice(0, SHOWN).join(', ');
  const left = more.length > SHOWN ? ` and ${more.length - SHOWN} more` : '';
  const besides = more.length === 0 ? '' : `; the same is true of ${also}${left}`;
  const message = `nothing says what its bytes have to be${besides}. A signature of the medium would, or a SHA256SUM beside it`;
  return [{ code: 'unproved', subject: first, message }];
}
