import { SolpackError } from '../../../kernel/events/index.ts';
import type { MediumKind } from './kind.ts';

/** An archive on a server, at `http://` or `https://`. */
export const serverAddress: MediumKind = {
  find: async (entry, { origin, reach = async (url) => ({ url }) }) => {
    if (!/^https?:\/\//i.test(entry)) return undefined;
    if (!URL.canParse(entry)) {
      throw new SolpackError('usage-invalid', entry, 'is not an address', { hint: 'write https://HOST/PATH' });
    }
    const url = new URL(entry);
    origin.requireAddress(url);
    return { places: [await reach(url)], several: false };
  },
};
