import { describe, expect, test } from 'vitest';
import { documentOf, layerOf, locationsOf, unreadOf } from '../../../support/layers.ts';
import { archive, entry } from '../../../support/tar.ts';

const npm = (name: string, at = `app/node_modules/${name}`, version = '1.0.0') =>
  entry(`${at}/package.json`, { body: JSON.stringify({ name, version }) });
const layer = (...entries: Uint8Array[]) => layerOf(archive(...entries));
const packages = async (...layers: Uint8Array[][]) =>
  locationsOf(await documentOf(layers.map((entries) => layer(...entries))));

describe('layers over one another', () => {
  test('leave what the topmost says of a file', async () => {
    const document = await documentOf([layer(npm('a'), npm('b')), layer(npm('a', 'app/node_modules/a', '2.0.0'))]);
    expect(document.components.map(({ purl }) => purl)).toEqual(['pkg:npm/a@2.0.0', 'pkg:npm/b@1.0.0']);
  });

  test('lose files and folders that a layer whites out', async () => {
    expect(await packages([npm('a'), npm('b')], [entry('app/node_modules/a/.wh.package.json')])).toEqual([
      'app/node_modules/b/package.json',
    ]);
    expect(await packages([npm('a'), npm('b')], [entry('app/node_modules/.wh.a')])).toHaveLength(1);
    expect(await packages([npm('a'), npm('b')], [entry('.wh.app')])).toEqual([]);
  });

  test('keep what the layer itself has in a folder that it makes opaque, whatever comes first', async () => {
    const opaque = entry('app/node_modules/.wh..wh..opq');
    for (const upper of [
      [npm('b'), opaque],
      [opaque, npm('b')],
    ]) {
      expect(await packages([npm('a'), npm('c', 'other/node_modules/c')], upper)).toEqual([
        'app/node_modules/b/package.json',
        'other/node_modules/c/package.json',
      ]);
    }
    expect(await packages([npm('a')], [entry('.wh..wh..opq'), npm('b')])).toEqual(['app/node_modules/b/package.json']);
  });

  test('keep what a layer has and whites out at once: a whiteout is about the layers below', async () => {
    expect(await packages([npm('a')], [npm('a'), entry('app/node_modules/.wh.a')])).toHaveLength(1);
  });

  test('lose files where a folder, a link or another file takes their place', async () => {
    const path = 'app/node_modules/a/package.json';
    expect(await packages([npm('a')], [entry(path, { type: '5' })])).toEqual([]);
    expect(await packages([npm('a')], [entry('app/node_modules', { type: '2', link: '/x' })])).toEqual([]);
    expect(await packages([npm('a')], [entry('app', { body: 'a file' })])).toEqual([]);
    expect(await packages([npm('a')], [entry('app', { type: '5' })])).toHaveLength(1);
    expect(await packages([npm('a')], [entry('app/node_modules/a', { type: '5' })])).toHaveLength(1);
  });

  test('count a hard link for the file that it is, also of a layer below', async () => {
    const second = 'copy/node_modules/a/package.json';
    const link = entry(second, { type: '1', link: './app/node_modules/a/package.json' });
    expect(await packages([npm('a'), link])).toEqual(['app/node_modules/a/package.json', second]);
    expect(await packages([npm('a')], [link])).toHaveLength(2);
    const elsewhere = entry('store/0123', { type: '1', link: 'app/node_modules/a/package.json' });
    expect(await packages([npm('a'), elsewhere])).toHaveLength(1);
  });

  test('take names as runtimes do, with a leading ./ or /, doubled slashes and ways up', async () => {
    const names = ['./app', '/app', 'app/', 'x/../app', '../../app'];
    for (const name of names) {
      expect(await packages([npm('a', `${name}/node_modules/a`)])).toEqual(['app/node_modules/a/package.json']);
    }
  });

  test('say that a list of packages is a link to something unknown', async () => {
    const hard = entry('app/node_modules/a/package.json', { type: '1', link: 'store/0123' });
    const soft = entry('var/lib/dpkg/status', { type: '2', link: '../x' });
    expect(unreadOf(await documentOf([layer(hard, soft)]))).toEqual([
      'package list app/node_modules/a/package.json: a hard link to something else in place of a file',
      'package list var/lib/dpkg/status: a symbolic link in place of a file',
    ]);
  });
});
