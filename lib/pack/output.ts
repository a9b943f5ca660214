import { dirname } from 'node:path';
import { ahead } from '../../formats/bytes.ts';
import {
  type ArchiveWriter,
  archiveBytes,
  beginArchive,
  type Carrier,
  type Catalog,
  planSigned,
  type SlotBundles,
} from '../archives/index.ts';
import { copy } from '../copy.ts';
import { type Flow, lend } from '../flow.ts';
import { openChecked } from '../move.ts';
import type { Crew } from '../workers/crew.ts';
import type { Content } from './content.ts';

/** A place that bytes can only be sent to, in order: a pipe, an upload. */
export interface ByteSink {
  /** How errors name it. */
  readonly name: string;
  /** Resolves once `bytes` were taken. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Options of `pack` for archives that are files. */
export interface FileOptions {
  /** Goes on with what an earlier run left that was killed; where this one fails, what it wrote is left as well. */
  readonly resume?: boolean | undefined;
  /** Whether the end is waited for until the disk has the archive; true unless it is said. */
  readonly sync?: boolean | undefined;
  /** Threads that local files are copied in; undefined is one for each core, up to 4. */
  readonly workers?: number | undefined;
}

/** An archive that is about to be written. */
export interface Prepared {
  readonly catalog: Catalog;
  readonly carrier: Carrier;
  readonly content: Content;
  /** What goes into its slots. */
  readonly slots: SlotBundles;
  /** Threads for local files, where there are enough of them. */
  readonly crew: Crew | undefined;
}

/** Writes an archive to the file `path`; `before` runs when all is in place, before it gets its name. Returns its size. */
export async function writeToFile(
  path: string,
  { catalog, carrier, content, slots, crew }: Prepared,
  options: FileOptions,
  before: () => Promise<void>,
  flow: Flow,
): Promise<number> {
  const onNotice = (message: string): void => flow.onEvent({ type: 'notice', subject: path, message });
  const writer = await beginArchive(path, catalog, carrier, {
    ...options,
    ...slots,
    crew,
    signal: flow.signal,
    onNotice,
  });
  return lend(writer, async () => {
    try {
      await fill(writer, catalog, content, flow);
      await before();
      await writer.commit();
      return writer.size;
    } catch (error) {
      if (options.resume)
        onNotice(`what was written stays in ${dirname(path)}; "solpack pack --resume" goes on with it`);
      throw error;
    }
  });
}

/** Writes an archive to `sink` in one pass, from its first byte to its last. Returns its size. */
export async function writeToSink(
  sink: ByteSink,
  { catalog, carrier, content, slots }: Prepared,
  flow: Flow,
): Promise<number> {
  const planned = planSigned(catalog, carrier, slots);
  const total = planned.layout.size;
  const { signal } = flow;
  let done = 0;
  const bytes = archiveBytes(planned, slots, (blob) => openChecked(content.transfer(blob), signal));
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => undefined);
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    for await (const chunk of ahead(bytes)) {
      signal.throwIfAborted();
      // A reader that takes nothing more holds up nobody who wants an end.
      await Promise.race([sink.write(chunk), aborted]);
      done += chunk.length;
      flow.onEvent({ type: 'progress', step: 'write', done, total });
    }
    return total;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function fill(writer: ArchiveWriter, catalog: Catalog, content: Content, flow: Flow): Promise<void> {
  const transfers = catalog.contents.map((descriptor) => content.transfer(descriptor));
  const total = transfers.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  let done = 0;
  await copy([transfers], writer, {
    signal: flow.signal,
    onBytes: (count) => {
      done += count;
      flow.onEvent({ type: 'progress', step: 'write', done, total });
    },
  });
}
