import type { Bytes } from '../../../formats/bytes.ts';
import { type ChartFile, packChart } from '../../../formats/chart/write.ts';

/** Most bytes of a packed chart that are kept in memory; larger ones are packed again whenever they are read. */
const KEPT = 8 * 1024 * 1024;

/** A chart that was packed once, so that its size is known. */
export interface PackedFolder {
  /** In bytes. */
  readonly size: number;
  open(): Bytes;
}

/** Packs a chart, and keeps its bytes unless they are many. Throws what `packChart` throws. */
export async function packFolder(name: string, files: readonly ChartFile[]): Promise<PackedFolder> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of packChart(name, files)) {
    size += chunk.length;
    if (size <= KEPT) kept.push(chunk);
    else kept.length = 0;
  }
  return { size, open: () => (size <= KEPT ? replay(kept) : packChart(name, files)) };
}

async function* replay(chunks: readonly Uint8Array[]): Bytes {
  yield* chunks;
}
