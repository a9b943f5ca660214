import { describe, expect, test } from 'vitest';
import { type Bytes, utf8 } from '../../../formats/bytes.ts';
import { indexLimits } from '../../../formats/chart/index-lines.ts';
import { readRepositoryIndex } from '../../../formats/chart/repository-index.ts';

async function* pieces(text: string | Uint8Array, size: number): Bytes {
  const bytes = typeof text === 'string' ? utf8(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (text: string, name = 'web', size = 7) => readRepositoryIndex(pieces(text, size), name);
const hex = 'ab'.repeat(32);

const index = `apiVersion: v1
# entries: none
entries:
  api:
  - name: api
    version: 9.9.9
    description: |
      web:
      - version: 0.0.0
    urls: [api.tgz]
  "web":
  # newest first
  - name: web
    version: 1.2.3
    digest: ${hex}
    description: "a text: of
      two lines"
    keywords:
    - "entries:"

    urls:
    - charts/web-1.2.3.tgz
  - name: web
    version: 1.10
    urls: [https://example.com/web-1.10.tgz]
    digest: sha256:${hex.toUpperCase()}
  - name: web
    urls: []
  - nothing
  webs: []
generated: "2026-01-01T00:00:00Z"
`;

describe('the index of a Helm repository', () => {
  test.each([1, 7, 100_000])('has the versions of a chart, wherever chunks of %i bytes end', async (size) => {
    expect(await read(index, 'web', size)).toEqual([
      { version: '1.2.3', urls: ['charts/web-1.2.3.tgz'], digest: hex },
      { version: '1.1', urls: ['https://example.com/web-1.10.tgz'], digest: hex },
    ]);
  });

  test('has lines that end as on Windows', async () => {
    expect(await read(index.replaceAll('\n', '\r\n'))).toHaveLength(2);
  });

  test('tells a chart without versions from one that it does not name', async () => {
    expect(await read(index, 'webs')).toEqual([]);
    expect(await read(index, 'description')).toBeUndefined();
    expect(await read('apiVersion: v1\nentries: {}\n')).toBeUndefined();
    expect(await read('apiVersion: v1\nentries:\n')).toBeUndefined();
  });

  test('may be JSON', async () => {
    const json = JSON.stringify({ entries: { web: [{ version: '1.0.0', urls: ['a.tgz'] }] } }, null, 1);
    expect(await read(json)).toEqual([{ version: '1.0.0', urls: ['a.tgz'], digest: undefined }]);
    expect(await read(json, '__proto__')).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['a page of HTML', '<!DOCTYPE html>\n<html></html>\n'],
    ['no entries', 'apiVersion: v1\n'],
    ['entries in flow style', 'entries: {web: [{version: 1.0.0, urls: [a]}]}\n'],
    ['entries that are indented unevenly', 'entries:\n    api: []\n  web: []\n'],
    ['a chart that is a mapping', 'entries:\n  web:\n    version: 1.0.0\n'],
    ['a chart that is no YAML', 'entries:\n  web:\n  - {\n'],
    ['JSON that ends too early', '{"entries": {'],
    ['JSON without entries', '[]\n{'],
  ])('is none if it is %s', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'chart-index-invalid' });
  });

  test('has to be UTF-8', async () => {
    const bytes = Uint8Array.of(...utf8('entries:\n  web: '), 0xff);
    await expect(readRepositoryIndex(pieces(bytes, 5), 'web')).rejects.toMatchObject({ code: 'chart-index-invalid' });
  });

  test.each([1, 7, 100_000])(
    'may have anything after what is asked for, wherever chunks of %i bytes end',
    async (size) => {
      const bytes = Uint8Array.of(...utf8(index), 0xff, 0x0a);
      expect(await readRepositoryIndex(pieces(bytes, size), 'web')).toHaveLength(2);
    },
  );

  test.each([1, 2, 7, 100_000])('may begin with a byte order mark, wherever chunks of %i bytes end', async (size) => {
    expect(await read(`\uFEFF${index}`, 'web', size)).toHaveLength(2);
  });

  test('may have any size, but only so much about one chart', async () => {
    async function* much(name: string): Bytes {
      yield utf8(`entries:\n  ${name}:\n`);
      const line = utf8(`  - ${'x'.repeat(1000)}\n`.repeat(1000));
      for (let written = 0; written < 4 * indexLimits.section; written += line.length) yield line;
      yield utf8('  web:\n  - version: 1.0.0\n    urls: [a]\n');
    }
    expect(await readRepositoryIndex(much('api'), 'web')).toHaveLength(1);
    await expect(readRepositoryIndex(much('api'), 'api')).rejects.toMatchObject({ code: 'chart-index-invalid' });
  });

  test('may not have lines without end', async () => {
    async function* endless(): Bytes {
      for (;;) yield utf8('x'.repeat(1024 * 1024));
    }
    await expect(readRepositoryIndex(endless(), 'web')).rejects.toMatchObject({ code: 'chart-index-invalid' });
  });
});
