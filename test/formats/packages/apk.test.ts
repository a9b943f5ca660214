import { describe, expect, test } from 'vitest';
import { apk, parseApk } from '../../../formats/packages/apk.ts';

const installed = `C:Q1p78yvTLG094tHE1+dToJGbmYzQE=
P:musl
V:1.2.4-r2
A:x86_64
S:383304
I:622592
T:the musl c library (libc) implementation
U:https://musl.libc.org/
L:MIT
o:musl
m:Timo Teräs <timo.teras@iki.fi>
t:1693487424
c:b0d8a9d948ed823d1ab9e36c8ed0d2eb8f0a3d2d
p:so:libc.musl-x86_64.so.1=1
F:lib
R:ld-musl-x86_64.so.1
a:0:0:755
Z:Q1vMhb6yzX3W8mTfVfsVw5kvGlBgs=

P:ssl_client
V:1.36.1-r2
A:x86_64
L:GPL-2.0-only
o:busybox

`;
const parse = (text: string) => parseApk(Buffer.from(text));

describe('the apk database', () => {
  test('gives packages with licenses, and the source package where it has another name', () => {
    expect(parse(installed)).toEqual([
      {
        type: 'apk',
        name: 'musl',
        version: '1.2.4-r2',
        architecture: 'x86_64',
        license: 'MIT',
        publisher: 'Timo Teräs <timo.teras@iki.fi>',
      },
      {
        type: 'apk',
        name: 'ssl_client',
        version: '1.36.1-r2',
        architecture: 'x86_64',
        source: { name: 'busybox' },
        license: 'GPL-2.0-only',
      },
    ]);
    expect(parse(installed.trimEnd())).toEqual(parse(installed));
    expect(parse('')).toEqual([]);
  });

  test('is looked for where apk keeps it, in old releases and in new ones', () => {
    const paths = [
      'lib/apk/db/installed',
      'usr/lib/apk/db/installed',
      'x/lib/apk/db/installed',
      'lib/apk/db/scripts.tar',
    ];
    expect(paths.map(apk.wants)).toEqual([true, true, false, false]);
  });

  test.each([
    ['a line that is no field', 'P:a\nV:1\n?\n', 'a line "?"'],
    ['a package without a name', 'V:1\n', 'without the field P'],
    ['a package without a version', 'P:a\n', 'without the field V'],
    ['an empty name', 'P:\nV:1\n', 'without the field P'],
    ['two versions', 'P:a\nV:1\nV:2\n', 'two fields V'],
    ['a name that is not printable', 'P:a\u2028b\nV:1\n', 'not printable'],
    ['more packages than there can be', 'P:a\nV:1\n\n'.repeat(50_001), 'more than 50000 packages'],
  ])('is refused with %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'packages-invalid' }));
    expect(() => parse(text)).toThrow(message);
  });
});
