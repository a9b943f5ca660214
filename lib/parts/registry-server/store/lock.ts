import { SolpackError } from '../../../kernel/events/index.ts';
import { type HeldFolder, type TakenLock, takeLock } from '../../../kernel/files/index.ts';

/**
 * Takes the exclusive use of a store, until the release or the end of the process. Throws `store-busy`,
 * `output-unwritable`.
 */
export function lockStore(folder: HeldFolder): Promise<TakenLock> {
  return takeLock(folder, 'lock', { patience: 0, busy: () => busy(folder.path) });
}

function busy(folder: string): SolpackError {
  return new SolpackError('store-busy', folder, 'another process serves this store', {
    hint: 'end that process, or give this one a separate folder',
  });
}
