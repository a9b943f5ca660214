import { createReadStream } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Bytes } from '../../../formats/bytes.ts';
import { go, readGoBuild } from '../../../formats/packages/go.ts';
import { goPackages } from '../../../formats/packages/go-modules.ts';
import { find, judged, ok } from '../../support/judges.ts';
import { buildInfo, programOf } from './elf.ts';

async function* pieces(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = (bytes: Uint8Array, size = 65_536) => readGoBuild(pieces(bytes, size));

const modules = `path\texample.com/tool
mod\texample.com/tool\t(devel)\t
dep\tgithub.com/BurntSushi/toml\tv1.3.2\th1:o7IhLm0Msx3BaB+n3Ag7L8EVlByGnpq14C4YWiu/gL8=
dep\texample.com/old\tv1.0.0
=>\texample.com/new\tv2.0.0+incompatible\th1:new=
build\t-compiler=gc
`;
const found = { version: 'go1.24.1', modules };

describe('the build information of Go', () => {
  test('is found in programs of any word size and byte order, wherever chunks end', async () => {
    for (const bits of [32, 64] as const) {
      for (const little of [true, false]) {
        const program = programOf({ bits, little, modules, at: 8192 });
        for (const size of [7, 1000, 8193, 65_536]) expect(await read(program, size)).toEqual(found);
      }
    }
  });

  test('is looked for in writable segments alone, and at its alignment', async () => {
    const decoy = buildInfo('go9.9.9', 'path\tdecoy\n');
    expect(await read(programOf({ modules, also: [{ at: 2048, bytes: decoy }] }))).toEqual(found);
    expect(await read(programOf({ modules, at: 8192, also: [{ at: 6001, bytes: decoy }] }))).toEqual(found);
    const only = programOf({ at: 2048, modules });
    expect(await read(only)).toBeUndefined();
  });

  test('is found behind bytes that only begin like it', async () => {
    const head = buildInfo('', '').subarray(0, 32);
    expect(await read(programOf({ modules, at: 8192, also: [{ at: 4096, bytes: head }] }))).toEqual(found);
    const endless = Buffer.concat([head, Buffer.alloc(4, 0xff)]);
    expect(await read(programOf({ modules, at: 8192, also: [{ at: 4096, bytes: endless }] }))).toEqual(found);
  });

  test('is found where the program headers were moved to the end', async () => {
    const program = programOf({ modules, at: 12_288 });
    program.writeBigUInt64LE(10_000_000n, 32);
    expect(await read(program)).toEqual(found);
  });

  test('is none in a program that other compilers made, that is cut, or that is empty', async () => {
    expect(await read(programOf().fill(0, 4096))).toBeUndefined();
    expect(await read(programOf({ modules }).subarray(0, 4140))).toBeUndefined();
    expect(await read(Buffer.from('\x7fELF', 'latin1'))).toBeUndefined();
    expect(await read(Buffer.alloc(0))).toBeUndefined();
  });

  test('gives modules, those that took the place of others, and the standard library', () => {
    expect(goPackages(found)).toEqual([
      { type: 'golang', name: 'example.com/tool' },
      {
        type: 'golang',
        name: 'github.com/BurntSushi/toml',
        version: 'v1.3.2',
        sum: 'h1:o7IhLm0Msx3BaB+n3Ag7L8EVlByGnpq14C4YWiu/gL8=',
      },
      { type: 'golang', name: 'example.com/new', version: 'v2.0.0+incompatible', sum: 'h1:new=' },
      { type: 'golang', name: 'stdlib', version: '1.24.1' },
    ]);
    expect(goPackages({ version: 'go1.26.1 X:loopvar', modules: '' })).toMatchObject([{ version: '1.26.1' }]);
    expect(goPackages({ version: 'devel +abc', modules: '' })).toMatchObject([{ version: 'devel +abc' }]);
  });

  test.each([
    ['a replacement of nothing', '=>\tb\tv1\n', 'a replacement without its module'],
    ['a module without a name', 'dep\t\tv1\n', 'empty'],
    ['a version that is not printable', 'dep\ta\tv\x1b1\n', 'not printable'],
    ['more modules than there can be', 'dep\ta\tv1\n'.repeat(50_001), 'more than 50000 packages'],
  ])('is refused with %s', (_, text, message) => {
    expect(() => goPackages({ version: 'go1.24.1', modules: text })).toThrow(message);
  });

  test('says what it does not know: dependencies of a build without modules, and all of one before Go 1.18', async () => {
    const without = await go.read(pieces(programOf({ modules: 'path\texample.com/tool\n' }), 1000), 'a');
    expect(without.packages.map(({ name }) => name)).toEqual(['example.com/tool', 'stdlib']);
    expect(without.missing).toContain('built without modules');
    const old = await go.read(pieces(programOf({ flags: 0 }), 1000), 'a');
    expect(old).toMatchObject({ packages: [], missing: expect.stringContaining('before 1.18') });
    const whole = await go.read(pieces(programOf({ modules }), 1000), 'a');
    expect(whole.missing).toBeUndefined();
  });

  // Built with modules by Go itself, with them by another linker, and as Debian builds, without.
  for (const program of ['crane', 'helm', 'oras'] as const) {
    judged(`of ${program} is what go version -m prints`, ['go', program], async () => {
      const [first, ...rest] = (await ok('go', ['version', '-m', find(program)!])).trimEnd().split('\n');
      const build = await readGoBuild(createReadStream(find(program)!));
      if (build === undefined || build === 'old') throw new Error('no build information');
      expect(build.version).toBe(first!.slice(first!.indexOf(': ') + 2));
      const records = build.modules.trimEnd().split('\n');
      // go version quotes some settings of the build, and those alone.
      const isModule = (line: string): boolean => !line.startsWith('build');
      expect(records.filter(isModule)).toEqual(rest.map((line) => line.slice(1)).filter(isModule));
    });
  }
});
