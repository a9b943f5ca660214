import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { join as joined, slice } from '../../formats/bytes.ts';
import { openIsoImage } from '../../formats/iso9660/read.ts';
import { openFile } from '../../lib/kernel/files/open-file.ts';
import {
  hugePaths,
  hugeSha256,
  hugeSize,
  hugeWindow,
  neighbour,
  sectionEnd,
  windows,
  writeHuge,
} from '../support/iso/huge.ts';
import { mounted } from '../support/iso/readers.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('iso-huge');
const image = join(folder, 'huge.iso');
const windowSize = 4096;

/** Milliseconds for a test that reads 5 GiB. */
const long = 300_000;

beforeAll(() => writeHuge(image));

/** The SHA-256 of what a command prints. */
const piped = async (command: string): Promise<string | undefined> => {
  const said = await ok('bash', ['-c', `set -o pipefail; ${command} | openssl dgst -sha256`, 'bash', image]);
  return said.trim().split(' ').at(-1);
};

/** The line of a listing that ends with the path of the large file. */
const lineOf = (text: string, path: string): string | undefined =>
  text.split('\n').find((line) => line.replaceAll("'", '').trimEnd().endsWith(` ${path}`));

describe('a file of more than 4 GiB', () => {
  test('takes no room on the disk where it holds nothing', () => {
    expect(statSync(image).size).toBeGreaterThan(hugeSize);
    expect(statSync(image).blocks * 512).toBeLessThan(2 ** 22);
  });

  test.each(['rock-ridge', 'joliet', 'plain'] as const)('is read by solpack in the %s tree', async (namespace) => {
    await using file = await openFile(image);
    const found = new Map<string, number>();
    for await (const { path, size, type, extents } of (await openIsoImage(file, { namespace })).walk()) {
      if (type !== 'file') continue;
      found.set(path, size);
      if (size !== hugeSize) continue;
      expect(extents.map((extent) => extent.size)).toEqual([sectionEnd, hugeSize - sectionEnd]);
      expect(extents[1]!.offset).toBe(extents[0]!.offset + sectionEnd);
    }
    expect([...found.values()].sort()).toEqual([neighbour.content.length, hugeSize, hugeSize].sort());
  });

  test(
    'is read by solpack to the last byte',
    async () => {
      await using file = await openFile(image);
      const { extents } = (await (await openIsoImage(file)).lookup(hugePaths[0]))!;
      const hash = createHash('sha256');
      for await (const chunk of joined(extents.map(({ offset, size }) => slice(file, offset, size))))
        hash.update(chunk);
      expect(hash.digest('hex')).toBe(hugeSha256);
    },
    long,
  );

  judged(
    'is read by bsdtar to the last byte',
    ['bsdtar', 'bash', 'openssl'],
    async () => {
      const listed = await ok('bsdtar', ['-tvf', image]);
      expect(lineOf(listed, hugePaths[0])).toContain(` ${hugeSize} `);
      expect(listed).toContain(` ${hugePaths[1]} link to ${hugePaths[0]}\n`);
      expect(await piped(`bsdtar -xOf "$1" ${hugePaths[0]}`)).toBe(hugeSha256);
    },
    long,
  );

  judged('has its size in bsdtar where the image comes through a pipe', ['bsdtar', 'bash'], async () => {
    const listed = await ok('bash', ['-c', 'head -c 10M "$1" | bsdtar -tvf - || true', 'bash', image]);
    expect(lineOf(listed, hugePaths[0])).toContain(` ${hugeSize} `);
  });

  judged(
    'is read by 7-Zip to the last byte',
    ['7zz', 'bash', 'openssl'],
    async () => {
      expect(await ok('7zz', ['l', '-slt', image])).toContain(`Path = huge\nFolder = -\nSize = ${hugeSize}\n`);
      expect(await piped(`7zz e -so "$1" ${hugePaths[0]}`)).toBe(hugeSha256);
    },
    long,
  );

  judged('is read by xorriso on both sides of every section', ['xorriso'], async () => {
    for (const path of hugePaths) {
      const listed = await ok('xorriso', ['-indev', image, '-lsl', `/${path}`]);
      expect(lineOf(listed, `/${path}`)).toContain(` ${hugeSize} `);
    }
    for (const offset of windows) {
      const piece = join(folder, `piece-${offset}`);
      const expected = hugeWindow(offset, windowSize);
      const cut = ['-extract_cut', `/${hugePaths[1]}`, `${offset}`, `${expected.length}`, piece];
      await ok('xorriso', ['-osirrox', 'on', '-indev', image, ...cut]);
      expect(readFileSync(piece).equals(expected), `at ${offset}`).toBe(true);
    }
  });

  judged('is listed by isoinfo as its sections, which isoinfo does not join', ['isoinfo'], async () => {
    const lines = (await ok('isoinfo', ['-R', '-l', '-i', image])).split('\n').filter((line) => / huge\s*$/.test(line));
    expect(lines.map((line) => Number(line.trim().split(/\s+/)[4]))).toEqual([sectionEnd, hugeSize - sectionEnd]);
  });

  judged('is cut off by fuseiso after its first section, and nothing else is', ['fuseiso'], async () => {
    // fuseiso takes the first record of a name for the whole file.
    const top = join(folder, 'fuseiso');
    mkdirSync(top);
    await mounted(image, top, async () => {
      for (const path of hugePaths) expect(statSync(join(top, path)).size).toBe(sectionEnd);
      const file = openSync(join(top, hugePaths[0]), 'r');
      for (const offset of windows.filter((at) => at + windowSize <= sectionEnd)) {
        const bytes = Buffer.alloc(windowSize);
        readSync(file, bytes, 0, windowSize, offset);
        expect(bytes.equals(hugeWindow(offset, windowSize)), `at ${offset}`).toBe(true);
      }
      closeSync(file);
      expect(readFileSync(join(top, neighbour.path), 'utf8')).toBe(neighbour.content);
    });
  });
});
