import { sizePair } from '../../../../formats/size-words.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import { freeSpaceFor } from '../../../kernel/machine/index.ts';
import type { SurveyCheck } from './check.ts';

/**
 * Finds folders of this machine whose disks have no room for what will be written to them: mirrors, remembered
 * releases.
 */
export const diskCheck: SurveyCheck = async ({ folders }) =>
  folders.flatMap(({ path, bytes }) => {
    const free = freeSpaceFor(path);
    if (free === undefined || free >= bytes) return [];
    const [room, more] = sizePair(free, bytes);
    const message = `its disk has room for ${room}, but up to ${more} will be written`;
    return [new SolpackError('disk-full', path, message, { hint: 'make room on that disk' })];
  });
