import type { Bytes } from '../bytes.ts';
import { sizeWords } from '../size-words.ts';
import { invalidPackages } from './kind.ts';

/** Gathers a file of at most `limit` bytes. Throws `FormatError` `packages-invalid` if it has more. */
export async function bounded(body: Bytes, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw invalidPackages(`more than ${sizeWords(limit)}`);
    // Its memory may be used again before the file has ended.
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks, size);
}
