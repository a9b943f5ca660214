import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { layoutImage } from '../../formats/iso9660/layout.ts';
import { entriesOf, options, writeLayout } from '../formats/iso9660/image.ts';
import { givenListing, type Listing, ownListing } from '../support/iso/listing.ts';
import { readers } from '../support/iso/readers.ts';
import { trees } from '../support/iso/trees.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('iso-readers');

const lines = (found: readonly (readonly [path: string, line: string])[]): string[] =>
  found.map(([path, line]) => `${path}: ${line}`).sort();

/** What is there, whatever its name. */
const contents = (found: Listing): string[] => Object.values(found).sort();

describe.each(Object.entries(trees).map(([name, files], at) => ({ name, files, at })))('$name', ({ files, at }) => {
  const image = join(folder, `${at}.iso`);
  const given = givenListing(files, true);

  beforeAll(() => writeLayout(image, layoutImage(entriesOf(files), options), (key) => key));

  test('is what solpack reads in the Rock Ridge tree, and under other names in the others', async () => {
    expect(await ownListing(image, 'rock-ridge')).toEqual(given);
    for (const namespace of ['joliet', 'plain'] as const) {
      expect(contents(await ownListing(image, namespace))).toEqual(contents(givenListing(files, false)));
    }
  });

  for (const reader of readers) {
    judged(`is what ${reader.name} reads`, [...reader.needs, 'bash'], async () => {
      const own = join(folder, `${at} ${reader.name}`);
      mkdirSync(own);
      const tree = reader.namespace === 'joliet' ? await ownListing(image, 'joliet') : given;
      const shown = reader.shown ?? ((path) => path);
      const expected = Object.entries(tree).map(([path, line]) => [shown(path), line] as const);
      expect(lines(await reader.read(image, own))).toEqual(lines(expected));
    });
  }

  judged('is what isoinfo copies out', ['isoinfo'], async () => {
    for (const { path, content = '' } of files.slice(0, 10)) {
      expect(await ok('isoinfo', ['-R', '-i', image, '-x', `/${path}`])).toBe(content);
    }
  });
});
