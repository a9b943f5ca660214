import { resolve } from 'node:path';
import type { MediumKind } from './kind.ts';

/** A file, or a block device; what is there, if anything, is reported by whoever opens it. */
export const file: MediumKind = {
  find: async (entry, { base, origin }) => ({ places: [origin.placeOf(resolve(base, entry))], several: false }),
};
