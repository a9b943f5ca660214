import { dirname } from 'node:path';
import type { Digest } from '../../formats/digest.ts';
import type { Layout } from '../../formats/segments.ts';
import { emptySlot, fillSlot } from '../../formats/sigstore/slot.ts';
import { fromFormat, SolpackError } from '../errors.ts';
import { createFile, freeSpace, type PendingFile } from '../host.ts';
import type { ContentTarget } from '../model.ts';
import type { Carrier } from './carrier.ts';
import { blobsOf, type Catalog } from './catalog.ts';
import { type CarrierFile, carrierFiles } from './files.ts';

/** An archive laid out to the last byte. */
export interface Planned {
  readonly files: readonly CarrierFile[];
  readonly layout: Layout;
}

/** Lays out the archive of `catalog` in `carrier`. Throws `archive-limit` where the format cannot hold it. */
export function planArchive(catalog: Catalog, carrier: Carrier): Planned {
  const { name, version, created } = catalog.metadata;
  const files = carrierFiles(catalog, carrier.views);
  try {
    return { files, layout: carrier.layout(files, { name, version, created, root: catalog.root.digest }) };
  } catch (error) {
    throw fromFormat('archive-limit', `${name} ${version}`, error, 'shorten the names it complains about');
  }
}

/** An archive in the making: a target for its blobs, each of which has its place already. */
export interface ArchiveWriter extends ContentTarget, AsyncDisposable {
  readonly size: number;
  /** Makes the archive durable and gives it its name. Throws where a blob is missing. */
  commit(): Promise<void>;
}

/**
 * Begins the archive of `catalog` at `path`, with everything written but its blobs, which are then pushed in any
 * order. `bundles` go into the first signature slots. Nothing is seen at `path` before `commit`. Throws `disk-full`, `output-unwritable`, `archive-limit`.
 */
export async function beginArchive(
  path: string,
  catalog: Catalog,
  carrier: Carrier,
  bundles: readonly Uint8Array[] = [],
): Promise<ArchiveWriter> {
  const { files, layout } = planArchive(catalog, carrier);
  const file = await createFile(path);
  try {
    await requireSpace(path, layout.size);
    await writeKnown(file, files, layout, bundles);
  } catch (error) {
    await file.discard();
    throw error;
  }
  return writer(path, catalog, layout, file);
}

async function requireSpace(path: string, size: number): Promise<void> {
  const free = await freeSpace(dirname(path));
  if (free >= size) return;
  throw new SolpackError('disk-full', path, `needs ${size} bytes, but ${free} are free`, {
    hint: 'free some space or write to another disk',
  });
}

async function writeKnown(
  file: PendingFile,
  files: readonly CarrierFile[],
  layout: Layout,
  bundles: readonly Uint8Array[],
): Promise<void> {
  const content = new Map(files.map((entry) => [entry.key, entry.content]));
  for (const segment of layout.segments) {
    if (segment.kind === 'meta') {
      await file.write(segment.bytes(), segment.offset);
      continue;
    }
    const known = content.get(segment.key);
    if (known?.kind === 'bytes') await file.write(known.bytes, segment.offset);
    if (known?.kind === 'slot') {
      const bundle = bundles[known.number];
      const slot = bundle ? fillSlot(bundle, segment.size) : emptySlot(segment.size);
      await file.write(slot, segment.offset);
    }
  }
}

function writer(path: string, catalog: Catalog, layout: Layout, file: PendingFile): ArchiveWriter {
  const places = new Map<string, number[]>();
  for (const segment of layout.segments) {
    if (segment.kind === 'data') places.set(segment.key, [...(places.get(segment.key) ?? []), segment.offset]);
  }
  const missing = new Set<Digest>(blobsOf(catalog).map(({ digest }) => digest));
  return {
    name: path,
    size: layout.size,
    has: async ({ digest }) => !missing.has(digest),
    push: async ({ digest }, bytes) => {
      const offsets = places.get(digest) ?? [];
      let done = 0;
      for await (const chunk of bytes) {
        for (const offset of offsets) await file.write(chunk, offset + done);
        done += chunk.length;
      }
      missing.delete(digest);
    },
    commit: async () => {
      if (missing.size > 0) throw new Error(`${path} would lack ${[...missing].join(', ')}`);
      await file.commit();
    },
    [Symbol.asyncDispose]: () => file.discard(),
  };
}
