import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type Bytes, slice } from '../../../formats/bytes.ts';
import { algorithmOf, type Digest, hexOf, measure } from '../../../formats/digest.ts';
import { STORE_FOLDER } from '../../../formats/document/schema-line.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { type Host, SolpackError, unwritable } from '../../kernel/events/index.ts';
import { openFile, type TemporaryFolder, temporaryFolder, unlessMissing, writeFile } from '../../kernel/files/index.ts';

/** Content in a file of its own. */
export interface KeptContent {
  readonly digest: Digest;
  /** In bytes. */
  readonly size: number;
  readonly path: string;
}

/** What was fetched, by digest. */
export interface SourceStore extends AsyncDisposable {
  /** Returns the file with that content; undefined where there is none, or where it is damaged. */
  find(digest: Digest): Promise<KeptContent | undefined>;
  /**
   * Reads `bytes` to their end and keeps them, only as long as this run if `isPassing`. Throws `component-invalid`
   * about `subject` for more than `limit`.
   */
  keep(bytes: Bytes, limit: number, subject: string, isPassing?: boolean): Promise<KeptContent>;
  /** Makes an empty folder that lasts as long as this run. */
  scratch(): Promise<string>;
}

/**
 * Opens what is kept beside a definition, in `folder`. It is made when there is something to keep, with a `.gitignore`
 * of its own; unless `keeps` is set, nothing is ever written there, and what is fetched lasts as long as this run.
 */
export function openSourceStore(folder: string, keeps: boolean, host: Host): SourceStore {
  const home = join(folder, STORE_FOLDER);
  const known = new Map<Digest, KeptContent>();
  let temporary: Promise<TemporaryFolder> | undefined;
  let count = 0;
  const nextPath = async (): Promise<string> => {
    temporary ??= temporaryFolder(host);
    count += 1;
    return join((await temporary).path, String(count));
  };
  const placeOf = (digest: Digest): string => join(home, 'sources', algorithmOf(digest), hexOf(digest));
  const keepFor = async (content: KeptContent): Promise<KeptContent> => {
    const path = placeOf(content.digest);
    try {
      await fs.mkdir(join(path, '..'), { recursive: true });
      await fs.writeFile(join(home, '.gitignore'), '*\n', { flag: 'wx' }).catch((error) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await writeFile(path, bytesOf(content.path));
    } catch (error) {
      throw unwritable(home, error);
    }
    await fs.rm(content.path);
    return { ...content, path };
  };
  return {
    find: async (digest) => {
      const path = placeOf(digest);
      const found = known.get(digest) ?? (await contentAt(path));
      if (found?.digest !== digest) return undefined;
      known.set(digest, found);
      return found;
    },
    keep: async (bytes, limit, subject, isPassing = false) => {
      const path = await nextPath();
      const fetched = { ...(await measure(copied(bytes, path, limit, subject))), path };
      const kept = known.get(fetched.digest) ?? (keeps && !isPassing ? await keepFor(fetched) : fetched);
      known.set(kept.digest, kept);
      return kept;
    },
    scratch: async () => {
      const path = await nextPath();
      await fs.mkdir(path);
      return path;
    },
    [Symbol.asyncDispose]: async () => (await temporary?.catch(() => undefined))?.[Symbol.asyncDispose](),
  };
}

/** Reads a file that may be absent. */
async function contentAt(path: string): Promise<KeptContent | undefined> {
  const measured = await unlessMissing(measure(bytesOf(path)));
  return measured && { ...measured, path };
}

/** Streams a file from its first byte to its last. Throws as `openFile`. */
export async function* bytesOf(path: string): Bytes {
  const file = await openFile(path);
  try {
    yield* slice(file, 0, file.size);
  } finally {
    await file.close();
  }
}

/** Hands on bytes, and writes them into a new file. */
async function* copied(bytes: Bytes, path: string, limit: number, subject: string): Bytes {
  const handle = await fs.open(path, 'wx', 0o600).catch((error) => {
    throw unwritable(path, error);
  });
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > limit) {
        throw new SolpackError(
          'component-invalid',
          subject,
          `has more than the ${sizeWords(limit)} that are accepted`,
          {
            hint: 'check the address',
          },
        );
      }
      await handle.writeFile(chunk).catch((error) => {
        throw unwritable(path, error);
      });
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}
