import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { layoutImage } from '../../formats/iso9660/layout.ts';
import { entriesOf, options, writeLayout } from '../formats/iso9660/image.ts';
import { hugePaths, hugeSize, hugeWindow, windows, writeHuge } from '../support/iso/huge.ts';
import { givenListing, type Listing, lineOf, ownListing, sha256Of } from '../support/iso/listing.ts';
import { trees } from '../support/iso/trees.ts';
import { scratch } from '../support/judges.ts';
import { windowSize } from '../support/kernel/init.ts';
import type { KernelTree, KernelTrees } from '../support/kernel/results.ts';
import { bootKernel, kernelIsHere, kernelTest } from '../support/kernel.ts';

const folder = scratch('kernel');
const names = Object.keys(trees);
const imageOf = (name: string): string => join(folder, `${names.indexOf(name)}.iso`);
const hugeImage = join(folder, 'huge.iso');

let found: readonly KernelTrees[] = [];
const seen = (name: string): KernelTrees => found[names.indexOf(name)]!;

beforeAll(async () => {
  if (!kernelIsHere()) return;
  for (const [name, files] of Object.entries(trees)) {
    writeLayout(imageOf(name), layoutImage(entriesOf(files), options), (key) => key);
  }
  writeHuge(hugeImage);
  const machine = join(folder, 'machine');
  mkdirSync(machine);
  found = await bootKernel(machine, [...names.map(imageOf), hugeImage], windows);
});

/** The listing that Linux gives. */
function listing({ entries }: KernelTree, modes: boolean): Listing {
  const lines = entries.map(({ path, mode, size, sha256 = '' }) => {
    const type = (mode & 0o170000) === 0o040000 ? 'dir' : 'file';
    const item = { type, size, sha256 } as const;
    return [path, lineOf(modes ? { ...item, mode: mode & 0o7777 } : item)];
  });
  return Object.fromEntries(lines);
}

describe('Linux reads what was written, and what solpack reads', () => {
  describe.each(names)('%s', (name) => {
    kernelTest('in the Rock Ridge tree, modes and all', async () => {
      const read = listing(seen(name)['ro'], true);
      expect(read).toEqual(givenListing(trees[name]!, true));
      expect(read).toEqual(await ownListing(imageOf(name), 'rock-ridge'));
    });

    kernelTest('in the Joliet tree', async () => {
      expect(listing(seen(name)['ro,norock'], false)).toEqual(await ownListing(imageOf(name), 'joliet'));
    });

    kernelTest('in the plain tree, whose names it shows in lower case', async () => {
      const own = Object.entries(await ownListing(imageOf(name), 'plain'));
      const lower = Object.fromEntries(own.map(([path, line]) => [path.toLowerCase(), line]));
      expect(Object.keys(lower)).toHaveLength(own.length);
      expect(listing(seen(name)['ro,norock,nojoliet'], false)).toEqual(lower);
    });

    kernelTest('with every content in every tree', () => {
      const contents = (found: Listing): string[] => Object.values(found).sort();
      for (const tree of Object.values(seen(name))) {
        expect(contents(listing(tree, false))).toEqual(contents(givenListing(trees[name]!, false)));
      }
    });

    kernelTest('with the date of the volume and root as owner', () => {
      for (const { path, modified, owner } of seen(name)['ro'].entries) {
        expect({ path, modified, owner }).toEqual({ path, modified: options.created, owner: '0:0' });
      }
    });
  });
});

describe('Linux reads a file of more than 4 GiB', () => {
  kernelTest('with its size and its bytes on both sides of every section, in each tree', () => {
    for (const { entries, windows: pieces } of Object.values(found.at(-1)!)) {
      expect(entries.filter(({ size }) => size === hugeSize)).toHaveLength(hugePaths.length);
      expect(pieces.size).toBe(hugePaths.length);
      for (const found of pieces.values()) {
        const expected = windows.map((offset) => [offset, sha256Of(hugeWindow(offset, windowSize))]);
        expect([...found]).toEqual(expected);
      }
    }
  });
});
