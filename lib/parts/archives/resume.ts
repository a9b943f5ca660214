import type { Digest } from '../../../formats/digest.ts';
import { mayOthersChange, type PendingFile } from '../../kernel/files/index.ts';
import { type Job, type JobRunOptions, runJobs } from '../../kernel/workers/index.ts';
import { type ResumedPart, readJournal } from './journal.ts';
import type { Places } from './plan.ts';

/** How it is hashed. */
type HashOptions = Pick<JobRunOptions, 'signal' | 'workers' | 'crew'>;

/**
 * What can be kept of an archive in the making that an earlier run left, `name` in the folder of its `file`, whose
 * layout has the digest `identity`; undefined where nothing can be. What was on the disk when the journal said so is
 * kept as it is. It is hashed first where it may have been lost with the machine's memory, and where others may have
 * changed which file has which name.
 */
export async function findKept(
  file: PendingFile,
  name: string,
  planned: { readonly identity: Digest; readonly size: number },
  places: Places,
  options: HashOptions,
): Promise<ResumedPart | undefined> {
  const stats = await file.stat();
  const journal = await readJournal(file.folder, name, planned.identity);
  if (!journal || stats.size !== planned.size) return undefined;
  const known = (digest: Digest): boolean => places.has(digest);
  const shared = mayOthersChange(await file.folder.stat());
  const safe = [...journal.safe].filter(known);
  const loose = [...(shared ? safe : []), ...[...journal.loose].filter(known)];
  return {
    safe: new Set(shared ? [] : safe),
    loose: new Set(await hashLoose(file.bytes, loose, places, options)),
    begun: new Map([...journal.begun].filter(([digest, size]) => isBeginning(places, digest, size))),
    allocated: stats.blocks * 512,
  };
}

function isBeginning(places: Places, digest: Digest, size: number): boolean {
  const place = places.get(digest);
  return place !== undefined && place.offsets.length === 1 && size > 0 && size < place.size;
}

/** Returns those of what may have been lost that are in all of their places. */
async function hashLoose(
  path: string,
  loose: readonly Digest[],
  places: Places,
  options: HashOptions,
): Promise<Digest[]> {
  const jobs = loose.flatMap((digest): Job[] => {
    const { size = 0, offsets = [] } = places.get(digest) ?? {};
    return offsets.map((offset) => ({ digest, size, from: { path, offset, size }, to: [] }));
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
