import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dpkg, parseDpkg } from '../../../formats/packages/dpkg.ts';
import { judged, ok } from '../../support/judges.ts';

const status = `Package: libstdc++6
Status: install ok installed
Multi-Arch: same
Architecture: amd64
Source: gcc-12 (12.2.0-14)
Version: 12.2.0-14+deb12u1
Maintainer: Debian GCC Maintainers <debian-gcc@lists.debian.org>
Description: GNU Standard C++ Library v3
 This package contains an additional runtime library.
 .
Conffiles:
 /etc/x 0123456789abcdef0123456789abcdef

Package: removed
Status: deinstall ok config-files
Architecture: all
Version: 1.0

Package: half
Status: install reinstreq half-installed
Architecture: all
Version: 2:1.0~rc1-1
`;
const parse = (text: string) => parseDpkg(Buffer.from(text));

describe('the dpkg database', () => {
  test('gives packages that have files, with their source packages', () => {
    expect(parse(status)).toEqual([
      {
        type: 'deb',
        name: 'libstdc++6',
        version: '12.2.0-14+deb12u1',
        architecture: 'amd64',
        source: { name: 'gcc-12', version: '12.2.0-14' },
        publisher: 'Debian GCC Maintainers <debian-gcc@lists.debian.org>',
      },
      { type: 'deb', name: 'half', version: '2:1.0~rc1-1', architecture: 'all' },
    ]);
    expect(parse('')).toEqual([]);
  });

  test('takes a stanza of a distroless image, which has no state, for installed', () => {
    const stanza = 'Package: base-files\nVersion: 12.4+deb12u5\nArchitecture: amd64\n';
    expect(parse(stanza)).toMatchObject([{ name: 'base-files', version: '12.4+deb12u5' }]);
  });

  test.each([
    ['var/lib/dpkg/status', true],
    ['var/lib/dpkg/status.d/base', true],
    ['var/lib/dpkg/status.d/base.md5sums', false],
    ['var/lib/dpkg/status-old', false],
    ['a/var/lib/dpkg/status', false],
    ['var/lib/dpkg/status.d/a/b', false],
  ])('is looked for at %s: %s', (path, wanted) => {
    expect(dpkg.wants(path)).toBe(wanted);
  });

  test.each([
    ['a line that is no field', 'Package: a\nnonsense\n', 'a line "nonsense"'],
    ['a continuation of nothing', ' a\n', 'a line " a"'],
    ['a package without a name', 'Version: 1\n', 'without the field Package'],
    ['a package without a version', 'Package: a\nStatus: install ok installed\n', 'without the field Version of a'],
    ['two names', 'Package: a\nPackage: b\nVersion: 1\n', 'two fields Package'],
    ['a state that is none', 'Package: a\nStatus: installed\nVersion: 1\n', 'a Status of "installed"'],
    ['a name that is not printable', 'Package: a\x1b[2J\nVersion: 1\n', 'not printable'],
    ['a version too long', `Package: a\nVersion: ${'1'.repeat(2000)}\n`, 'too long'],
    ['a source that is none', 'Package: a\nVersion: 1\nSource: a b c\n', 'a Source of'],
    ['more packages than there can be', 'Package: a\nVersion: 1\n\n'.repeat(50_001), 'more than 50000 packages'],
  ])('is refused with %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'packages-invalid' }));
    expect(() => parse(text)).toThrow(message);
  });

  test('is refused where it is not UTF-8', () => {
    expect(() => parseDpkg(Buffer.from('Package: \xff\nVersion: 1\n', 'latin1'))).toThrow('not UTF-8');
  });

  judged("of this machine has the packages that dpkg-query lists, and dpkg's own sources", ['dpkg-query'], async () => {
    const fields = ['Package', 'Version', 'Architecture', 'source:Package', 'source:Version', 'db:Status-Status'];
    const format = `${fields.map((field) => `\${${field}}`).join(' ')}\n`;
    const listed = (await ok('dpkg-query', ['-W', '-f', format])).trim().split('\n');
    const wanted = listed
      .filter((line) => !/ (?:config-files|not-installed)$/.test(line))
      .map((line) => line.replace(/ \S+$/, ''));
    const found = parseDpkg(readFileSync('/var/lib/dpkg/status')).map(({ name, version, architecture, source }) =>
      [name, version, architecture, source?.name ?? name, source?.version ?? version].join(' '),
    );
    expect(found.length).toBeGreaterThan(50);
    expect(found.sort()).toEqual(wanted.sort());
  });
});
