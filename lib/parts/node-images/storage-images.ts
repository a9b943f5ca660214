import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { z } from '../../../formats/schema.ts';
import { codeOf, SolpackError, unreadable } from '../../kernel/events/index.ts';
import type { ImageName } from './kind.ts';
import { storeNames } from './names.ts';

/** The driver of the stores that are made: the one that podman and CRI-O have additional stores for. */
export const DRIVER = 'overlay';

/** Every manifest of an image is stored under a key that begins so, and ends with its digest. */
const MANIFEST = 'manifest-';

const schema = z.array(
  z.object({
    id: z.string(),
    names: z.array(z.string()).nullish(),
    'big-data-digests': z.record(z.string(), z.string()).nullish(),
  }),
);

/** An image of a store, as its list has it. */
export type StoredImage = z.infer<typeof schema>[number];

/**
 * Reads which images a store of containers-storage has; none where there is no store. Throws `source-invalid`,
 * `file-unreadable`.
 */
export async function storedImages(folder: string): Promise<readonly StoredImage[]> {
  const path = join(folder, `${DRIVER}-images`, 'images.json');
  let text: string;
  try {
    text = await fs.readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw unreadable(path, error);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new SolpackError('source-invalid', path, 'is not a list of images as containers-storage has it', {
      cause,
      hint: 'name a folder that is a store, or one that is yet to be made',
    });
  }
}

/** Finds the image of a store that has a digest, be it that of its manifest or of the index that it came from. */
export function storedAs(
  { digest }: Pick<ImageName, 'digest'>,
  stored: readonly StoredImage[],
): StoredImage | undefined {
  return stored.find(({ 'big-data-digests': data }) =>
    Object.entries(data ?? {}).some(([key, value]) => key.startsWith(MANIFEST.slice(0, -1)) && value === digest),
  );
}

/** Decides whether a store has an image by all the names by which it is looked for. */
export function isStored(image: ImageName, stored: readonly StoredImage[]): boolean {
  const found = storedAs(image, stored);
  return found !== undefined && storeNames(image).every((name) => found.names?.includes(name));
}
