import { removeFile } from './durable-files.ts';
import { dropLink, type StoreState } from './state.ts';

/**
 * Takes away uploads that nobody has sent anything to, and blobs that no manifest of their repository names and nobody
 * has asked for, since `before` (milliseconds since 1970). Blobs come before the manifest that names them, so that young
 * ones stay.
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
        // A manifest that has come meanwhile has used its blobs.
        const { used = before } = repository.blobs.get(digest) ?? {};
        if (used < before) await dropLink(state, key, 'blobs', digest);
      });
    }
  }
}

/** Ends an upload, and takes away what was sent. */
export async function cancel(state: StoreState, id: string): Promise<void> {
  const upload = state.uploads.get(id);
  state.uploads.delete(id);
  await upload?.alone(() => removeFile(upload.path));
}
