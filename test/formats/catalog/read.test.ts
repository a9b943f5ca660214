import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { CatalogReader } from '../../../formats/catalog/read.ts';

const yaml = (text: string) => ({ text, line: 1, isJson: false });
const json = (text: string) => ({ text, line: 1, isJson: true });

describe('what is read of a catalog', () => {
  test('keeps none of the documents in memory that it is from', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memory = (): number => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const reader = new CatalogReader('p');
    const name = (at: number): string => `some-long-name-of-a-bundle.v${at}.0.0`;
    const padding = 'x'.repeat(4 * 1024 * 1024);
    const before = memory();
    for (let at = 0; at < 40; at += 1) {
      const entries = `entries:\n- name: ${name(at + 1)}\n  replaces: ${name(at)}\n`;
      const channel = `schema: olm.channel\npackage: p\nname: channel-of-a-long-name-${at}\n${entries}padding: ${padding}\n`;
      // A text of its own, as what is read from a file is.
      reader.add(yaml(Buffer.from(channel).toString()), 'catalog.yaml');
    }
    reader.add(yaml('schema: olm.package\nname: p\ndefaultChannel: stable\n'), 'catalog.yaml');
    expect(memory() - before).toBeLessThan(100 * 1024 * 1024);
    expect(reader.package('p')?.channels.size).toBe(40);
  });

  test('is refused if a document of JSON has more values than one of YAML may have', () => {
    const text = `{"schema": "olm.package", "name": "p", "x": [${'[],'.repeat(400_000)}[]]}`;
    expect(() => new CatalogReader('p').add(json(text), 'catalog.json')).toThrow(
      'catalog.json: more than 600000 names and values',
    );
  });

  test('is refused if what would be kept is too much', () => {
    const reader = new CatalogReader('p');
    const add = (): void => {
      const entry = { reference: { schema: 'olm.package' }, message: 'm'.repeat(6 * 1024 * 1024) };
      const value = { schema: 'olm.deprecations', package: 'p', entries: [entry] };
      reader.add(json(JSON.stringify(value)), 'catalog.json');
    };
    add();
    add();
    expect(add).toThrow('names, edges and deprecations of more than 16.0 MiB');
  });
});
