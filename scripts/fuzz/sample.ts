import { Canvas } from './canvas.ts';
import type { Documents } from './documents.ts';
import type { FieldGroups } from './fields.ts';

/** A sound file that is damaged again and again. */
export interface Sample {
  readonly name: string;
  readonly canvas: Canvas;
  readonly fields: FieldGroups;
  /** Offsets of blocks of 512 bytes that are not empty: damage elsewhere shows little. */
  readonly used: readonly number[];
  /** Offsets of headers, in a tar file. */
  readonly headers: ReadonlySet<number>;
  /** The documents of an archive, which name each other by digest. */
  readonly documents: Documents | undefined;
}

/** Makes a sample of `bytes`. */
export function sampleOf(
  name: string,
  bytes: Buffer,
  fields: FieldGroups,
  more: { headers?: readonly number[]; documents?: Documents } = {},
): Sample {
  const used: number[] = [];
  for (let at = 0; at < bytes.length; at += 512) {
    const block = bytes.subarray(at, at + 512);
    if (block.some((byte) => byte !== block[0])) used.push(at);
  }
  return {
    name,
    canvas: new Canvas(bytes),
    fields,
    used,
    headers: new Set(more.headers),
    documents: more.documents,
  };
}
