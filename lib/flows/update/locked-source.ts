import type { ComponentDefinition } from '../../../formats/solution/definition.ts';
import type { Lock, LockedSource } from '../../../formats/solution/lock.ts';

/** Returns what a lock says of something that a definition or a chart names; undefined where it says nothing. */
export function lockedSource(
  lock: Lock | undefined,
  named: Pick<ComponentDefinition, 'path' | 'version' | 'channel'>,
): LockedSource | undefined {
  return lock?.sources?.find(
    ({ address, range, channel }) => address === named.path && range === named.version && channel === named.channel,
  );
}
