import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { npm, parsePackageJson } from '../../../formats/packages/npm.ts';
import { judged, ok } from '../../support/judges.ts';

const root = dirname(dirname(dirname(import.meta.dirname)));
const parse = (value: unknown, folder = 'folder') => parsePackageJson(Buffer.from(JSON.stringify(value)), folder);

describe('a package.json', () => {
  test('gives name, version and license, also as packages of old have it', () => {
    expect(parse({ name: '@scope/a', version: '1.0.0', license: 'MIT' })).toEqual({
      type: 'npm',
      name: '@scope/a',
      version: '1.0.0',
      license: 'MIT',
    });
    expect(parse({ name: 'a', license: { type: 'ISC', url: 'x' } })).toEqual({
      type: 'npm',
      name: 'a',
      license: 'ISC',
    });
    expect(parse({ name: 'a', licenses: [{ type: 'MIT' }, { type: 'BSD' }] }).license).toBe('(MIT OR BSD)');
    expect(parse({ name: 'a', license: 7 }).license).toBeUndefined();
    expect(parse({ version: '1.0.0' })).toEqual({ type: 'npm', name: 'folder', version: '1.0.0' });
  });

  test.each([
    ['node_modules/a/package.json', true],
    ['usr/lib/node_modules/npm/node_modules/@scope/a/package.json', true],
    ['app/node_modules/.pnpm/a@1.0.0/node_modules/a/package.json', true],
    ['app/package.json', false],
    ['node_modules/a/dist/package.json', false],
    ['node_modules/@scope/package.json', false],
    ['node_modules/.cache/package.json', false],
    ['old_node_modules/a/package.json', false],
  ])('is looked for at %s: %s', (path, wanted) => {
    expect(npm.wants(path)).toBe(wanted);
  });

  test.each([
    ['what is not JSON', '{', 'not JSON'],
    ['what is no object', '[]', 'not an object'],
    ['null', 'null', 'not an object'],
    ['a name that is not a string', '{"name":1}', 'the field name is not a string'],
    ['a version that is not a string', '{"name":"a","version":["1"]}', 'the field version is not a string'],
    ['a name that is not printable', '{"name":"a\\u001b[2J"}', 'not printable'],
    ['a license too long', JSON.stringify({ name: 'a', license: 'x'.repeat(2000) }), 'too long'],
  ])('is refused: %s', (_, text, message) => {
    expect(() => parsePackageJson(Buffer.from(text), 'folder')).toThrow(
      expect.objectContaining({ code: 'packages-invalid' }),
    );
    expect(() => parsePackageJson(Buffer.from(text), 'folder')).toThrow(message);
  });

  judged('gives what npm says is installed, for each package of this project', ['npm'], async () => {
    const listed: { name: string; version: string; location: string }[] = JSON.parse(
      await ok('npm', ['query', '*'], { cwd: root }),
    );
    const installed = listed.filter(({ location }) => location.startsWith('node_modules/'));
    expect(installed.length).toBeGreaterThan(50);
    for (const { name, version, location } of installed) {
      const path = `${location}/package.json`;
      expect(npm.wants(path)).toBe(true);
      expect(parsePackageJson(readFileSync(join(root, path)), 'folder')).toMatchObject({ name, version });
    }
  });
});
