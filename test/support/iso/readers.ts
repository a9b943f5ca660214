import { mkdirSync } from 'node:fs';
import { type Judge, ok, run } from '../judges.ts';
import { isoinfoListing, shownInLatin1 } from './isoinfo.ts';
import { folderListing } from './listing.ts';

/** A program that reads images. */
export interface Reader {
  readonly name: string;
  readonly needs: readonly Judge[];
  /** The tree that it reads. */
  readonly namespace: 'rock-ridge' | 'joliet';
  /** Whether it knows permission bits. */
  readonly modes: boolean;
  /** How it shows a path where it is not as it is. */
  readonly shown?: (path: string) => string;
  /**
   * What it finds in an image, each path with the line that `lineOf` makes; `folder` is an empty one that it may fill.
   */
  read(image: string, folder: string): Promise<readonly (readonly [path: string, line: string])[]>;
}

const extracted = (
  name: string,
  judge: Judge,
  traits: Pick<Reader, 'namespace' | 'modes'>,
  extract: (image: string, folder: string) => Promise<unknown>,
): Reader => ({
  name,
  needs: [judge],
  ...traits,
  read: async (image, folder) => {
    await extract(image, folder);
    const found = folderListing(folder, traits.modes);
    // What the reader wrote may be read-only; who runs the tests has to be able to remove it.
    await ok('chmod', ['-R', 'u+rwX', folder]);
    return Object.entries(found);
  },
});

const rockRidge = { namespace: 'rock-ridge', modes: true } as const;

/** The readers that images have to please besides solpack's own and the Linux kernel. */
export const readers: readonly Reader[] = [
  extracted('xorriso', 'xorriso', rockRidge, async (image, folder) => {
    const { code, stderr } = await run('xorriso', ['-osirrox', 'on', '-indev', image, '-extract', '/', folder]);
    if (code !== 0 || /WARNING|SORRY|FAILURE|FATAL/.test(stderr)) throw new Error(`xorriso complains: ${stderr}`);
  }),
  extracted('bsdtar from a file', 'bsdtar', rockRidge, (image, folder) => ok('bsdtar', ['-xpf', image, '-C', folder])),
  extracted('bsdtar from a pipe', 'bsdtar', rockRidge, (image, folder) =>
    ok('bash', ['-c', 'set -o pipefail; cat "$1" | bsdtar -xpf - -C "$2"', 'bash', image, folder]),
  ),
  extracted('7-Zip', '7zz', { namespace: 'joliet', modes: false }, async (image, folder) => {
    const said = await ok('7zz', ['x', `-o${folder}`, image]);
    if (!said.includes('Everything is Ok')) throw new Error(`7-Zip complains: ${said}`);
  }),
  {
    name: 'fuseiso',
    needs: ['fuseiso'],
    ...rockRidge,
    read: (image, folder) => mounted(image, folder, async () => Object.entries(folderListing(folder, true))),
  },
  {
    name: 'isoinfo, Rock Ridge',
    needs: ['isoinfo'],
    ...rockRidge,
    read: (image) => isoinfoListing(image, 'rock-ridge'),
  },
  {
    name: 'isoinfo, Joliet',
    needs: ['isoinfo'],
    namespace: 'joliet',
    modes: false,
    shown: shownInLatin1,
    read: (image) => isoinfoListing(image, 'joliet'),
  },
];

/** Mounts an image with fuseiso at `folder` while `work` is done. */
export async function mounted<T>(image: string, folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  await ok('fuseiso', [image, folder]);
  try {
    return await work();
  } finally {
    await ok('fusermount', ['-u', folder]);
  }
}
