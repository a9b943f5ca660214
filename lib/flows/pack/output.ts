import { ahead } from '../../../formats/bytes.ts';
import { copy, openChecked } from '../../kernel/content/index.ts';
import { byteMeter, type Flow, lend } from '../../kernel/events/index.ts';
import { partialPath } from '../../kernel/files/index.ts';
import type { Crew } from '../../kernel/workers/index.ts';
import {
  type ArchiveWriter,
  archiveBytes,
  beginArchive,
  type Carrier,
  type Catalog,
  planSigned,
  presentContents,
  type SlotBundles,
} from '../../parts/archives/index.ts';
import type { Content } from './content.ts';

/** A destination that only takes bytes in order: a pipe, an upload. */
export interface ByteSink {
  /** How errors name it. */
  readonly name: string;
  /** Writes bytes. Resolves once they were taken. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Options of `pack` that concern archives in files. */
export interface FileOptions {
  /** Continues what an earlier, killed run left. Where this run fails, it leaves what it wrote as well. */
  readonly resume?: boolean | undefined;
  /** Waits in the end until the archive is on the disk. Left out: true. */
  readonly sync?: boolean | undefined;
  /** Number of threads that copy local files; undefined means one for each core, up to 4. */
  readonly workers?: number | undefined;
}

/** An archive that is ready to be written. */
export interface Prepared {
  readonly catalog: Catalog;
  readonly carrier: Carrier;
  readonly content: Content;
  /** The signature bundles for its slots. */
  readonly slots: SlotBundles;
  /** Threads for local files; undefined where there are too few files. */
  readonly crew: Crew | undefined;
}

/**
 * Writes an archive to the file `path`, and returns its size. `before` runs when all bytes are there, before the file
 * gets its name.
 */
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
      if (options.sync !== false) flow.onEvent({ type: 'step', step: 'sync', subject: path });
      await writer.commit();
      return writer.size;
    } catch (error) {
      if (options.resume) {
        const left = `what was written stays in ${partialPath(path)}; the same command continues with it`;
        // The caller reports who has ended it.
        if (flow.signal.aborted) flow.onEvent({ type: 'left', message: left });
        else onNotice(left);
      }
      throw error;
    }
  });
}

/** Writes an archive to `sink` in one pass, from its first byte to its last, and returns its size. */
export async function writeToSink(
  sink: ByteSink,
  { catalog, carrier, content, slots }: Prepared,
  flow: Flow,
): Promise<number> {
  const planned = planSigned(catalog, carrier, slots);
  const total = planned.layout.size;
  const { signal } = flow;
  const { onBytes } = byteMeter(flow, 'write', total);
  const bytes = archiveBytes(planned, slots, (blob) => openChecked(content.transfer(blob), signal));
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => undefined);
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    for await (const chunk of ahead(bytes)) {
      signal.throwIfAborted();
      // A reader that has stopped reading must not delay the end of an aborted run.
      await Promise.race([sink.write(chunk), aborted]);
      onBytes(chunk.length);
    }
    return total;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function fill(writer: ArchiveWriter, catalog: Catalog, content: Content, flow: Flow): Promise<void> {
  const transfers = presentContents(catalog).map((descriptor) => content.transfer(descriptor));
  const total = transfers.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  await copy([transfers], writer, { signal: flow.signal, onBytes: byteMeter(flow, 'write', total).onBytes });
}
