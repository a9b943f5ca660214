import { isHigherVersion } from '../../../formats/solution/version-tag.ts';

/** What a lock says of something that was fetched, as far as it decides here. */
export interface LockedVersion {
  readonly version?: string | undefined;
}

/**
 * Makes what decides whether a lock is kept although its source is asked anew: if that has only lower versions now, or
 * none at all. Each source that is kept gets into `kept`, with the words that say why.
 */
export function keepingHigher(
  kept: Map<LockedVersion, string>,
): (locked: LockedVersion, version: string | undefined) => boolean {
  return (locked, version) => {
    if (version === undefined) {
      kept.set(locked, 'is no longer listed by its upstream');
      return true;
    }
    if (locked.version === undefined || !isHigherVersion(locked.version, version)) return false;
    kept.set(locked, `is higher than ${version}, which its upstream has now`);
    return true;
  };
}
