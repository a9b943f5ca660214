import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { folderSnapshot, type Snapshot } from '../formats/iso9660/image.ts';
import { bsdtar } from '../support/foreign/bsdtar.ts';
import type { ForeignCase } from '../support/foreign/cases.ts';
import { genisoimage } from '../support/foreign/genisoimage.ts';
import { contents, judgesOfForeign, namespaceOf, ownExtract, ownView } from '../support/foreign/look.ts';
import { writeDeepTree, writeFilesTree, writeLinksTree, writePosixTree } from '../support/foreign/trees.ts';
import { xorriso } from '../support/foreign/xorriso.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('foreign');
const trees = { posix: writePosixTree, files: writeFilesTree, deep: writeDeepTree, links: writeLinksTree } as const;
const inputOf = (tree: keyof typeof trees): string => join(folder, tree);

beforeAll(() => {
  for (const [name, write] of Object.entries(trees)) {
    mkdirSync(join(folder, name));
    write(join(folder, name));
  }
});

/** Without what the writer added. */
function given(found: Snapshot, adds: RegExp | undefined): Snapshot {
  return Object.fromEntries(Object.entries(found).filter(([path]) => !adds?.test(path)));
}

async function compare(foreign: ForeignCase, image: string): Promise<void> {
  const truth = folderSnapshot(inputOf(foreign.tree), false);
  const found = await ownView(image);
  expect(await namespaceOf(image)).toBe(foreign.namespace);
  const ours = given(found, foreign.adds);
  if (foreign.namespace === 'rock-ridge' || foreign.exact) expect(ours).toEqual(truth);
  else expect(contents(ours)).toEqual(contents(truth));
  if (foreign.adds) expect(Object.keys(found).some((path) => foreign.adds!.test(path))).toBe(true);
  for (const [judge, look] of Object.entries(judgesOfForeign)) {
    const out = join(folder, judge);
    const seen = await look(image, out);
    rmSync(out, { recursive: true });
    if (foreign.apart?.[judge as keyof typeof judgesOfForeign]) expect(seen).not.toEqual(found);
    else expect(given(seen, judge === 'xorriso' ? foreign.shown : undefined), judge).toEqual(found);
  }
}

describe.each([
  ['genisoimage', genisoimage],
  ['xorriso', xorriso],
  ['bsdtar', bsdtar],
] as const)('an image by %s reads as what was put in, and as bsdtar and xorriso read it', (_, cases) => {
  for (const foreign of cases) {
    const tree = foreign.namespace === 'rock-ridge' ? 'Rock Ridge' : foreign.namespace;
    judged(`${tree}: ${foreign.name}`, [foreign.judge, 'bsdtar', 'xorriso'], async () => {
      const image = join(folder, 'image.iso');
      await ok(foreign.judge, foreign.args(image, inputOf(foreign.tree)));
      await compare(foreign, image);
      rmSync(image);
    });
  }
});

judged('extract writes what was put in', ['xorriso', 'genisoimage'], async () => {
  const truth = folderSnapshot(inputOf('files'), false);
  for (const [writer, args] of [
    ['xorriso', ['-as', 'mkisofs', '-quiet', '-R', '-rr_reloc_dir', '/rr_moved']],
    ['genisoimage', ['-quiet', '-R']],
  ] as const) {
    const [image, out] = [join(folder, `${writer}.iso`), join(folder, `${writer}-out`)];
    await ok(writer, [...args, '-o', image, inputOf('files')]);
    expect(await ownExtract(image, [], out)).toEqual(truth);
  }
});
