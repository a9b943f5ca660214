import { lstat } from 'node:fs/promises';
import type { Digest } from '../../formats/digest.ts';
import { partialPath, readFile } from '../host.ts';
import type { Job } from '../workers/job.ts';
import { type RunOptions, runJobs } from '../workers/run.ts';
import { type Journaled, journalPath, parseJournal } from './journal.ts';
import type { Places } from './plan.ts';

/** What an earlier run left that this one goes on with. */
export interface Kept extends Journaled {
  /** Bytes that the file takes on the disk already. */
  readonly allocated: number;
}

/** How it is hashed. */
type HashOptions = Pick<RunOptions, 'signal' | 'workers' | 'crew'>;

/**
 * What can be kept of the `.partial` file of the archive `path`, of `size` bytes, whose layout has the digest `identity`; a line of words where nothing can be. What was on the
 * disk when the journal said so is kept as it is; what may have been lost with the machine's memory is hashed first.
 */
export async function findKept(
  path: string,
  planned: { readonly identity: Digest; readonly size: number },
  places: Places,
  options: HashOptions,
): Promise<Kept | string> {
  const partial = partialPath(path);
  const stats = await lstat(partial).catch(() => undefined);
  if (!stats) return 'there is nothing to go on with; it is written from the start';
  const bytes = await readFile(journalPath(path)).catch(() => undefined);
  const journal = bytes && parseJournal(Buffer.from(bytes).toString('latin1'), planned.identity);
  if (!journal || !stats.isFile() || stats.size !== planned.size) {
    return `${partial} is not a beginning of this archive; it is written from the start`;
  }
  const known = (digest: Digest): boolean => places.has(digest);
  return {
    safe: new Set([...journal.safe].filter(known)),
    loose: new Set(await hashLoose(partial, [...journal.loose].filter(known), places, options)),
    begun: new Map([...journal.begun].filter(([digest, size]) => isBeginning(places, digest, size))),
    allocated: stats.blocks * 512,
  };
}

function isBeginning(places: Places, digest: Digest, size: number): boolean {
  const place = places.get(digest);
  return place !== undefined && place.offsets.length === 1 && size > 0 && size < place.size;
}

/** Those of what may have been lost that are in all of their places. */
async function hashLoose(
  partial: string,
  loose: readonly Digest[],
  places: Places,
  options: HashOptions,
): Promise<Digest[]> {
  const jobs = loose.flatMap((digest): Job[] => {
    const { size = 0, offsets = [] } = places.get(digest) ?? {};
    return offsets.map((offset) => ({ digest, size, from: { path: partial, offset, size }, to: [] }));
  });
  const lost = new Set<Digest>();
  await runJobs(jobs, {
    ...options,
    target: undefined,
    holes: false,
    direct: false,
    onBytes: () => undefined,
    onVerdict: ({ digest }, { kind }) => {
      if (kind !== 'done') lost.add(digest);
    },
  });
  return loose.filter((digest) => !lost.has(digest));
}
