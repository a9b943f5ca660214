import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePythonMetadata, python } from '../../../formats/packages/python.ts';
import { judged, ok, scratch } from '../../support/judges.ts';

const folder = scratch('python-metadata');
const parse = (text: string) => parsePythonMetadata(Buffer.from(text));

describe('the metadata of a Python package', () => {
  test('give name, version and license, and not what the description says', () => {
    const metadata =
      'Metadata-Version: 2.1\nName: Zope.Interface\nVersion: 5.0\nLicense: ZPL-2.1\nRequires-Dist: x\n\nName: y\n';
    expect(parse(metadata)).toEqual({ type: 'pypi', name: 'Zope.Interface', version: '5.0', license: 'ZPL-2.1' });
    expect(parse('Name: a\r\nVersion: 1\r\n\r\nno: header\r\n')).toEqual({ type: 'pypi', name: 'a', version: '1' });
    const both = 'Name: a\nVersion: 1\nLicense: see there\nLicense-Expression: MIT OR ISC\n';
    expect(parse(both).license).toBe('MIT OR ISC');
  });

  test('tell no license that is a whole text, or that nobody filled in', () => {
    const licenses = ['The MIT License\n Copyright\n  and more', 'UNKNOWN', 'x'.repeat(300), ''];
    for (const license of licenses) expect(parse(`Name: a\nLicense: ${license}\nVersion: 1\n`).license).toBeUndefined();
  });

  test.each([
    ['usr/lib/python3/dist-packages/PyYAML-6.0.egg-info/PKG-INFO', true],
    ['usr/lib/python3/dist-packages/python_apt-2.6.egg-info', true],
    ['app/.venv/lib/python3.12/site-packages/a-1.0.dist-info/METADATA', true],
    ['app/a-1.0.dist-info/RECORD', false],
    ['METADATA', false],
  ])('are looked for at %s: %s', (path, wanted) => {
    expect(python.wants(path)).toBe(wanted);
  });

  test.each([
    ['a line that is no header', 'Name: a\nnonsense\n', 'a line "nonsense"'],
    ['no name', 'Version: 1\n', 'without the field name'],
    ['no version', 'Name: a\n\nVersion: 1\n', 'without the field version'],
    ['two names', 'Name: a\nname: b\nVersion: 1\n', 'two fields name'],
    ['a name that is not printable', 'Name: a\x1b[2J\nVersion: 1\n', 'not printable'],
  ])('are refused with %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'packages-invalid' }));
    expect(() => parse(text)).toThrow(message);
  });

  judged('are what Python reads, in samples and in what this machine has', ['python3'], async () => {
    const samples: Record<string, string> = {
      'one-1.0.dist-info/METADATA':
        'Metadata-Version: 2.1\nName: One\nVersion: 1.0\nLicense: A\n        B\n\nName: x\n',
      'two.egg-info/PKG-INFO': 'Name:two\nVERSION: 2.0rc1\n',
      'three-3.egg-info': 'Metadata-Version: 1.0\nName: three\nVersion: 3\nSummary: UNKNOWN',
    };
    for (const [path, text] of Object.entries(samples)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const script = `import importlib.metadata, json, sys
found = importlib.metadata.distributions(path=[sys.argv[1], *sys.path])
print(json.dumps([[str(one._path), one.metadata["Name"], one.metadata["Version"]] for one in found]))`;
    const listed: [path: string, name: string, version: string][] = JSON.parse(
      await ok('python3', ['-c', script, folder]),
    );
    // A folder without metadata is listed too, by a name that Python makes up.
    const files = listed.flatMap(([path, name, version]) => {
      const file = ['', 'METADATA', 'PKG-INFO']
        .map((one) => join(path, one))
        .find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
      return file === undefined ? [] : [{ file, name, version }];
    });
    expect(files.length).toBeGreaterThanOrEqual(Object.keys(samples).length);
    for (const { file, name, version } of files) {
      expect(python.wants(file)).toBe(true);
      expect(parsePythonMetadata(readFileSync(file)), file).toMatchObject({ name, version });
    }
  });
});
