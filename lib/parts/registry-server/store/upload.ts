import { createHash, type Hash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bytes } from '../../../../formats/bytes.ts';
import { algorithmOf, type Digest, hexOf } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';

/** Milliseconds between two looks at an upload, and how many in a row have to find its size unchanged. */
const LOOK = 50;
const LOOKS = 10;
/** The longest that `standstill` waits, in milliseconds. */
const PATIENCE = 30_000;

/** A blob that is being uploaded. */
export interface Upload {
  /** A UUID (RFC 9562), which other clients cannot guess. */
  readonly id: string;
  /** Key of its repository. */
  readonly key: string;
  /** Path of the file with its bytes. */
  readonly path: string;
  /** Bytes that have arrived. */
  readonly size: number;
  /** When it last received something, in milliseconds since 1970. */
  readonly used: number;
  /** Runs `work` once nothing else works on this upload, and aborts the signal of the work before it. */
  alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Waits until no work is under way, or until work is under way but no byte arrives, at most half a minute: the last
   * bytes of a broken connection may still be arriving.
   */
  standstill(): Promise<void>;
  /** Appends bytes. Those that came before a failure stay. To be run by `alone`. */
  append(bytes: Bytes): Promise<void>;
  /**
   * Checks the digest of all bytes, and makes them durable. Throws `FormatError` `digest-mismatch`. To be run by
   * `alone`.
   */
  seal(digest: Digest): Promise<void>;
}

/** Begins an upload in `folder`; its bytes are hashed by `algorithm` as they arrive. */
export async function beginUpload(folder: string, key: string, algorithm: 'sha256' | 'sha512'): Promise<Upload> {
  const id = randomUUID();
  const path = join(folder, id);
  await (await fs.open(path, 'wx')).close();
  const hash = createHash(algorithm);
  const now = { size: 0, used: Date.now(), works: 0, waits: false };
  let turn: Promise<unknown> = Promise.resolve();
  let cut = new AbortController();
  return {
    id,
    key,
    path,
    get size() {
      return now.size;
    },
    get used() {
      return now.used;
    },
    alone: (work) => {
      // A client that sends again has given up the work before, whose connection may hang for long.
      cut.abort();
      const own = new AbortController();
      cut = own;
      now.works += 1;
      const next = turn.then(() => work(own.signal));
      turn = next.catch(() => undefined).finally(() => (now.works -= 1));
      return next;
    },
    standstill: async () => {
      const end = performance.now() + PATIENCE;
      // Looks are counted instead of time: a busy machine may need long to read what has arrived.
      for (let still = 0; now.works > 0 && still < LOOKS && performance.now() < end; ) {
        const { size } = now;
        await Promise.race([turn, sleep(LOOK)]);
        still = now.waits && now.size === size ? still + 1 : 0;
      }
    },
    append: async (bytes) => {
      const handle = await fs.open(path, 'r+');
      try {
        now.waits = true;
        for await (const chunk of bytes) {
          now.waits = false;
          await writeAll(handle, chunk, now.size);
          now.waits = true;
          hash.update(chunk);
          now.size += chunk.length;
          now.used = Date.now();
        }
      } finally {
        now.waits = false;
        await handle.close();
      }
    },
    seal: async (digest) => {
      const found = algorithmOf(digest) === algorithm ? hash.copy().digest('hex') : await hashFile(path, digest);
      if (found !== hexOf(digest)) {
        throw new FormatError('digest-mismatch', `expected ${digest}, found ${algorithmOf(digest)}:${found}`);
      }
      const handle = await fs.open(path, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

async function writeAll(handle: fs.FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}

async function hashFile(path: string, digest: Digest): Promise<string> {
  const hash: Hash = createHash(algorithmOf(digest));
  const handle = await fs.open(path, 'r');
  for await (const chunk of handle.createReadStream()) hash.update(chunk);
  return hash.digest('hex');
}
