import { removeFile } from './durable-files.ts';
import { dropLink, type StoreState } from './state.ts';

/**
 * Removes uploads that have been idle, and blobs that were not asked for, because `before` (milliseconds since 1970).
 * Blobs that a manifest of their repository names stay. Young blobs stay too, because blobs are pushed before the
 * manifest that names them.
 */
export async function sweep(state: StoreState, before: number): Promise<void> {
  for (const upload of state.uploads.values()) {
    if (upload.used < before) await cancel(state, upload.id);
  }
  for (const [key, repository] of state.repositories) {
    const named = new Set([...repository.manifests.values()].flatMap(({ children }) => children));
    const stale = [...repository.blobs].filter(([digest, { used }]) => used < before && !named.has(digest));
    for (const [digest] of stale) {
      await state.serial(async () => {
        // A manifest that was pushed meanwhile has used its blobs.
        const { used = before } = repository.blobs.get(digest) ?? {};
        if (used < before) await dropLink(state, key, 'blobs', digest);
      });
    }
  }
}

/** Cancels an upload, and removes its bytes. */
export async function cancel(state: StoreState, id: string): Promise<void> {
  const upload = state.uploads.get(id);
  state.uploads.delete(id);
  await upload?.alone(() => removeFile(upload.path));
}
