import type { VersionBounds } from '../../../formats/solution/newer-version.ts';
import { newerTag } from '../../../formats/solution/version-tag.ts';
import { narrow } from '../../kernel/events/index.ts';

/** Leaves of a long list of tags those that `newerTag` chooses among all of them. Throws the reason of `signal`. */
export function narrowTags(
  tags: readonly string[],
  current: string,
  bounds: VersionBounds,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return narrow(tags, signal, (part) => {
    const { version, beyond } = newerTag(part, current, bounds);
    return [version, beyond].filter((one) => one !== undefined);
  });
}
