import type { NamedArchive } from '../lib/configure/index.ts';
import type { Io } from './io.ts';
import { archivePlace } from './place.ts';
import { referenceIn } from './solution.ts';

/** Returns where the archives are that a user named for a configuration. Throws `usage-invalid`. */
export async function namedArchives(io: Io, values: readonly string[]): Promise<NamedArchive[]> {
  const named: NamedArchive[] = [];
  for (const given of values) {
    const isReference = (await referenceIn(io, given, {})) !== undefined;
    named.push({ given, place: isReference ? undefined : await archivePlace(io, given, {}) });
  }
  return named;
}
