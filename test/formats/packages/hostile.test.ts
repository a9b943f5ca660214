import fc from 'fast-check';
import { expect, test } from 'vitest';
import { once } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { packageKinds } from '../../../formats/packages/index.ts';
import { parseOsRelease } from '../../../formats/packages/os-release.ts';
import { purlOf } from '../../../formats/packages/purl.ts';
import { secondsOf } from '../../support/yardstick.ts';
import { programOf } from './elf.ts';

const seeds: Readonly<Record<string, Buffer>> = {
  apk: Buffer.from('C:Q1=\nP:musl\nV:1.2.4-r2\nA:x86_64\nL:MIT\no:musl\nF:lib\n\nP:a\nV:1\n\n'),
  dpkg: Buffer.from(
    'Package: a\nStatus: install ok installed\nVersion: 1\nSource: b (2)\nDescription: c\n d\n\nPackage: e\nVersion: 1\n',
  ),
  go: programOf({ modules: 'path\ta\nmod\ta\tv1\th1:x\ndep\tb\tv1\n=>\tc\tv2\n', size: 6144 }),
  python: Buffer.from('Metadata-Version: 2.1\nName: a\nVersion: 1.0\nLicense: MIT\n more\nRequires-Dist: b\n\nText\n'),
  npm: Buffer.from('{"name":"@a/b","version":"1.0.0","license":"MIT","licenses":[{"type":"ISC"}]}'),
};
const path = 'node_modules/x/package.json';

const change = fc.record({
  at: fc.nat({ max: 6143 }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
  how: fc.constantFrom('set', 'insert', 'cut'),
});

/** Where the damage is done in a program, which is mostly zeros: its headers, and what Go wrote there. */
const offset = (at: number, size: number): number =>
  size < 5000 ? at % Math.max(1, size) : at % 2 === 0 ? at % 180 : 4096 + (at % 160);

/** Bytes with one damage after another. */
function damaged(seed: Buffer, changes: readonly { at: number; bytes: Uint8Array; how: string }[]): Buffer {
  return changes.reduce<Buffer>((bytes, { at: raw, bytes: more, how }) => {
    const at = offset(raw, bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    if (how === 'cut') return before;
    return Buffer.concat([before, more, how === 'insert' ? after : after.subarray(more.length)]);
  }, seed);
}

test('there is a sample of every kind', () => {
  expect(packageKinds.map(({ name }) => name).sort()).toEqual(Object.keys(seeds).sort());
});

test.each(packageKinds.map((kind) => [kind.name, kind] as const))(
  'damaged files of %s end in packages or in a FormatError',
  async (name, kind) => {
    const seed = seeds[name]!;
    expect((await kind.read(once(seed), path)).packages.length).toBeGreaterThan(0);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        try {
          const { packages } = await kind.read(once(damaged(seed, changes)), path);
          for (const one of packages) expect(purlOf(one)).toMatch(/^pkg:[a-z]+\/[\x21-\x7e]+$/);
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
          expect(error.code).toBe('packages-invalid');
          refused += 1;
        }
      }),
      { numRuns: 400, seed: 1 },
    );
    expect(refused).toBeGreaterThan(0);
  },
);

test.each(packageKinds.map((kind) => [kind.name, kind] as const))(
  'noise is nothing to %s, or a FormatError',
  async (_, kind) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (noise) => {
        const found = await kind.read(once(noise), path).catch((error: unknown) => error);
        if (found instanceof Error) expect(found).toBeInstanceOf(FormatError);
      }),
      { numRuns: 200 },
    );
  },
);

test('any bytes are an os-release or none', () => {
  const seed = Buffer.from('ID="debian"\nVERSION_ID="12"\nPRETTY_NAME=\'Debian\'\n');
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
      const found = parseOsRelease(damaged(seed, changes));
      if (found) expect(found.id).toMatch(/^[a-z0-9._-]+$/);
    }),
    { numRuns: 300 },
  );
});

const MIB = 1024 * 1024;
const spaces = ' '.repeat(4 * MIB - 64);
/**
 * A program with what begins Go's build information every 48 bytes, each time with a string longer than what follows.
 */
function begun(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write('\x7fELF\x02\x01', 'latin1');
  for (let at = 64; at + 48 <= size; at += 48) {
    bytes.write('\xff Go buildinf:\x08\x02', at, 'latin1');
    bytes.write('\xff\xff\x7e', at + 32, 'latin1');
  }
  return bytes;
}

test.each<[string, string, string | Buffer]>([
  ['spaces in a header', 'python', `Name:${spaces}x`],
  ['spaces and nothing else', 'python', spaces],
  ['names of headers', 'python', 'a-'.repeat(2 * MIB)],
  ['empty lines', 'dpkg', '\n'.repeat(32 * MIB)],
  ['a source without an end', 'dpkg', `Package: a\nVersion: 1\nSource: ${'a ('.repeat(8 * MIB)}`],
  ['empty lines', 'apk', '\n'.repeat(32 * MIB)],
  ['a field of spaces', 'apk', `P:${' '.repeat(16 * MIB)}x`],
  ['open brackets', 'npm', '['.repeat(4 * MIB - 1)],
  ['beginnings of build information', 'go', begun(2 * MIB)],
])('%s take %s no longer than their length', async (_, name, content) => {
  const kind = packageKinds.find((one) => one.name === name)!;
  async function* chunks() {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const read = (): unknown => kind.read(chunks(), path).catch((error) => expect(error).toBeInstanceOf(FormatError));
  expect(await secondsOf(read)).toBeLessThan(2);
});

test('spaces in os-release take no longer than their length', async () => {
  const parse = (): unknown => parseOsRelease(Buffer.from(`ID=${spaces.slice(0, 64 * 1024)}x`));
  expect(await secondsOf(() => expect(parse()).toBeUndefined())).toBeLessThan(1);
});
