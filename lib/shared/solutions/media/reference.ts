import { resolve } from 'node:path';
import type { Reference } from '../../../../formats/oci/reference.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import { isThere } from '../../../kernel/machine/index.ts';
import type { MediumKind } from './kind.ts';

/** A Solution in a registry. */
export const reference: MediumKind = {
  find: async (entry, { base, origin, connect }) => {
    const wanted = await referenceNamed(entry, base, origin.isThere);
    if (!wanted) return undefined;
    origin.requireRepository(wanted);
    if (connect) return { places: [connect(wanted)], several: false };
    throw new SolpackError('usage-invalid', entry, 'is in a registry, but this command reads archives from files', {
      hint: 'fetch it with "solpack pull", and name the file',
    });
  },
};

/**
 * Returns the reference that an entry is: one begins with `oci://`, or with a host before a path with a tag or a
 * digest, unless a file of that name exists below `base`. Throws `usage-invalid`.
 */
export async function referenceNamed(
  entry: string,
  base: string,
  isFile: (path: string) => Promise<boolean> = isThere,
): Promise<Reference | undefined> {
  const isReference = /^oci:\/\//i.test(entry) || (isReferenceLike(entry) && !(await isFile(resolve(base, entry))));
  if (!isReference) return undefined;
  // Whoever names a file waits for no client of registries.
  const { solutionReference } = await import('../../../parts/registries/index.ts');
  return solutionReference(entry.replace(/^oci:/i, 'oci:'));
}

/** Decides whether a text has a host, a path, and a tag or a digest. Without the latter it is taken for a path. */
function isReferenceLike(value: string): boolean {
  if (/^https?:\/\//i.test(value)) return false;
  const slash = value.indexOf('/');
  const host = value.slice(0, Math.max(0, slash));
  if (host.startsWith('.') || !(host === 'localhost' || /[.:]/.test(host))) return false;
  const [path, digest, ...more] = value.slice(slash + 1).split('@');
  if (digest !== undefined) return path !== '' && digest !== '' && more.length === 0;
  const colon = path!.lastIndexOf(':');
  return colon > 0 && colon < path!.length - 1 && !path!.includes('/', colon);
}
