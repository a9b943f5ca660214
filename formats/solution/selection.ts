import { unitOrder } from '../bytes.ts';
import type { Digest } from '../digest.ts';
import { FormatError } from '../error.ts';
import { decodeUniqueJson, encodeJson } from '../json.ts';
import { digestSchema } from '../oci/descriptor.ts';
import { z } from '../schema.ts';
import { sizeWords } from '../size-words.ts';
import { labelSchema, semVerSchema } from './names.ts';

/** A release that has contents which a delta lacks. Its name and version are for people; only digests decide. */
export interface DeltaBase {
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
}

/** Content that a delta lacks. */
export interface AbsentContent {
  readonly digest: Digest;
  /** Which of the bases has it, counted from 0. */
  readonly base: number;
}

/**
 * Which of the contents that a root reaches are not in an archive, and which releases have them. It shapes the archive,
 * and nobody has to believe it: what lacks is named by the root.
 */
export interface Selection {
  /** In the order of their roots. */
  readonly bases: readonly DeltaBase[];
  /** In the order of their digests. */
  readonly absent: readonly AbsentContent[];
}

/** What a selection may have at most: it is read before anybody is trusted. */
export const selectionLimits = { bytes: 4 * 1024 * 1024, absent: 32_768, bases: 16 } as const;

const schema = z.strictObject({
  formatVersion: z.literal(1),
  bases: z
    .array(z.strictObject({ name: labelSchema, version: semVerSchema.max(255), root: digestSchema }))
    .min(1)
    .max(selectionLimits.bases),
  absent: z
    .array(z.strictObject({ digest: digestSchema, base: z.number().int().min(0).max(selectionLimits.bases) }))
    .min(1)
    .max(selectionLimits.absent),
});

/** Makes the bytes of a selection, which are the same for the same bases and contents in whatever order. */
export function encodeSelection({ bases, absent }: Selection): Uint8Array {
  const sorted = [...bases].sort((a, b) => unitOrder(a.root, b.root));
  return encodeJson({
    formatVersion: 1,
    bases: sorted.map(({ name, version, root }) => ({ name, version, root })),
    absent: [...absent]
      .sort((a, b) => unitOrder(a.digest, b.digest))
      .map(({ digest, base }) => ({ digest, base: sorted.indexOf(bases[base]!) })),
  });
}

/**
 * Reads a selection. Throws `FormatError` `selection-invalid` for what `encodeSelection` does not make: what is there
 * twice, a base that has nothing, another order, white space.
 */
export function parseSelection(bytes: Uint8Array): Selection {
  const refuse = (why: string): never => {
    throw new FormatError('selection-invalid', `its selection ${why}`);
  };
  if (bytes.length > selectionLimits.bytes) refuse(`has more than ${sizeWords(selectionLimits.bytes)}`);
  const { bases, absent } = decodeUniqueJson(bytes, schema, 'selection-invalid', 'selection');
  if (hasRepeated(bases.map(({ root }) => root))) refuse('names a base twice');
  if (hasRepeated(absent.map(({ digest }) => digest))) refuse('names a content twice');
  const used = new Set(absent.map(({ base }) => base));
  if (used.size !== bases.length || [...used].some((base) => base >= bases.length)) {
    refuse('names a base without contents, or lacks one');
  }
  const selection = { bases, absent };
  if (Buffer.compare(encodeSelection(selection), bytes) !== 0) refuse('is not in its canonical form');
  return selection;
}

function hasRepeated(values: readonly string[]): boolean {
  return new Set(values).size !== values.length;
}
