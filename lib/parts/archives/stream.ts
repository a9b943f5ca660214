import { type Bytes, STREAM_CHUNK } from '../../../formats/bytes.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { type Planned, piecesOf, type SlotBundles } from './plan.ts';

/** Streams the bytes of an archive from first to last; `open` opens contents, checked, one after another. */
export async function* archiveBytes(
  planned: Planned,
  bundles: SlotBundles,
  open: (descriptor: Descriptor) => Bytes,
): Bytes {
  let parts: Uint8Array[] = [];
  let held = 0;
  const flush = (): Uint8Array => {
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts, held);
    [parts, held] = [[], 0];
    return whole;
  };
  for (const piece of piecesOf(planned, bundles)) {
    const bytes = piece.kind === 'blob' ? open(piece.descriptor) : [await piece.bytes()];
    for await (const chunk of bytes) {
      parts.push(chunk);
      held += chunk.length;
      // Thousands of small files would else be thousands of writes.
      if (held >= STREAM_CHUNK) yield flush();
    }
  }
  if (held > 0) yield flush();
}
