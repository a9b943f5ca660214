import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ownView } from '../support/foreign/look.ts';
import { judged, run, scratch } from '../support/judges.ts';

const folder = scratch('long-links');

/** A target of so many bytes, in components as long as names can be in practice, and a shorter one. */
function targetOf(length: number): string {
  return `${'hello-world/'.repeat(2)}${`${'h'.repeat(240)}/`.repeat(5)}`.slice(0, length - 1).padEnd(length, 'z');
}

/** Has genisoimage write a link; undefined where it never ends, as for some targets. */
async function imageOfLink(target: string): Promise<string | undefined> {
  const [input, image] = [join(folder, 'input'), join(folder, 'image.iso')];
  rmSync(input, { recursive: true, force: true });
  mkdirSync(input);
  symlinkSync(target, join(input, 'link'));
  const written = await run('timeout', ['1', 'genisoimage', '-quiet', '-R', '-cache-inodes', '-o', image, input]);
  return written.code === 0 ? image : undefined;
}

judged(
  'targets that genisoimage writes with a length that overflows are read whole, where bsdtar and xorriso cut them off',
  ['genisoimage', 'bsdtar', 'xorriso'],
  async () => {
    let whole = 0;
    for (let length = 1; length <= 1000; length += 7) {
      const target = targetOf(length);
      const image = await imageOfLink(target);
      if (image === undefined) continue;
      whole += 1;
      expect(await ownView(image), `${length} bytes`).toEqual({ link: `-> ${target}` });
    }
    expect(whole).toBeGreaterThan(100);
  },
);

judged(
  'xorriso reads the same targets up to where the length overflows, and the beginning of longer ones',
  ['genisoimage', 'xorriso'],
  async () => {
    const seen = async (image: string): Promise<string> => {
      const listed = await run('xorriso', ['-indev', image, '-lsl', '/link']);
      return / -> '(.*)'$/m.exec(listed.stdout)![1]!;
    };
    for (const length of [100, 150, 200, 250, 300]) {
      const image = (await imageOfLink(targetOf(length)))!;
      expect({ link: `-> ${await seen(image)}` }).toEqual(await ownView(image));
    }
    for (const length of [400, 430]) {
      const image = (await imageOfLink(targetOf(length)))!;
      const cut = await seen(image);
      expect(cut.length).toBeLessThan(length);
      expect((await ownView(image))['link']!.startsWith(`-> ${cut}`)).toBe(true);
    }
  },
);
