import { SolpackError } from '../../kernel/events/index.ts';
import { createFile, type PendingFile, readFile, writeFile } from '../../kernel/files/index.ts';

/** A file that gets other bytes. */
export interface ReplacedFile {
  readonly path: string;
  /** The bytes that it has to have until now; undefined where it may have any, or be absent. */
  readonly before: Uint8Array | undefined;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/**
 * Replaces files: all or none. All bytes are on the disk before the first file gets its name; if a later one cannot get
 * its name, those before it get their earlier bytes again. Throws `output-unwritable`, also for a file that was changed
 * meanwhile.
 */
export async function writeTogether(files: readonly ReplacedFile[]): Promise<void> {
  const pending: PendingFile[] = [];
  try {
    for (const { path, bytes, mode } of files) {
      const file = await createFile(path, mode);
      pending.push(file);
      await file.write(bytes, 0);
      await file.sync();
    }
    for (const { path, before } of files) await requireUnchanged(path, before);
    for (const [at, file] of pending.entries()) {
      await file.commit().catch(async (error) => {
        await restore(files.slice(0, at));
        throw error;
      });
    }
  } finally {
    for (const file of pending) await file.discard();
  }
}

async function requireUnchanged(path: string, before: Uint8Array | undefined): Promise<void> {
  if (before === undefined || Buffer.from(await readFile(path)).equals(before)) return;
  throw new SolpackError('output-unwritable', path, 'was changed by somebody else meanwhile', {
    hint: 'run the same command again',
  });
}

async function restore(files: readonly ReplacedFile[]): Promise<void> {
  for (const { path, before, mode } of files) if (before) await writeFile(path, before, mode);
}
