import { describe, expect, test } from 'vitest';
import { type Bytes, utf8 } from '../../../formats/bytes.ts';
import { type CatalogDocument, catalogDocuments, DocumentCount } from '../../../formats/catalog/documents.ts';

async function allOf(bytes: Bytes): Promise<CatalogDocument[]> {
  const found: CatalogDocument[] = [];
  for await (const document of catalogDocuments(bytes)) found.push(document);
  return found;
}

/** Reads a text in chunks of so many bytes. */
async function documentsOf(text: string, chunk = text.length): Promise<CatalogDocument[]> {
  const bytes = utf8(text);
  const chunks = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    const lent = new Uint8Array(chunk);
    for (let at = 0; at < bytes.length; at += chunk) {
      const part = bytes.subarray(at, at + chunk);
      lent.set(part);
      yield lent.subarray(0, part.length);
    }
  };
  return allOf(chunks());
}

const yaml =
  '\uFEFF# head\n---\nschema: a # ä\ntext: |\n  --- not here\n---\n\n# nothing\n--- # more\nschema: b\n---not: a mark\n---\n';
const json = '\n {"schema": "a", "text": "} \\" {", "in": {"x": [1]}}\n\n{"schema": "b"}{"schema":\n"c"}\n';

describe('a file of a catalog is split', () => {
  test.each([1, 2, 3, 7, 16, 1000])('into documents of YAML, in chunks of %d bytes', async (chunk) => {
    expect((await documentsOf(yaml, chunk)).map(({ text, line }) => [line, text])).toEqual([
      [2, '---\nschema: a # ä\ntext: |\n  --- not here\n'],
      [9, '--- # more\nschema: b\n---not: a mark\n'],
    ]);
  });

  test.each([1, 2, 3, 7, 16, 1000])('into objects of JSON, in chunks of %d bytes', async (chunk) => {
    const found = await documentsOf(json, chunk);
    expect(found.map(({ text, isJson }) => [isJson, JSON.parse(text).schema])).toEqual([
      [true, 'a'],
      [true, 'b'],
      [true, 'c'],
    ]);
    expect(found[0]!.text.trim()).toBe('{"schema": "a", "text": "} \\" {", "in": {"x": [1]}}');
  });

  test('and an unfinished object is handed on as it is', async () => {
    expect((await documentsOf('{"a": 1}{"b": ')).map(({ text }) => text)).toEqual(['{"a": 1}', '{"b": ']);
  });

  test('unless it is not UTF-8', async () => {
    const bytes = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield new Uint8Array([0x61, 0x3a, 0x20, 0xff, 0x0a]);
    };
    await expect(allOf(bytes())).rejects.toThrow('the document at line 1 is not valid UTF-8');
  });

  test('and its empty documents count too, with those of other files', async () => {
    await expect(documentsOf('---\n'.repeat(120_000), 2 ** 20)).rejects.toThrow('more than 100000 documents');
    const count = new DocumentCount();
    const bytes = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield utf8('---\n'.repeat(60_000));
    };
    for await (const _ of catalogDocuments(bytes(), count)) expect.unreachable();
    await expect(catalogDocuments(bytes(), count).next()).rejects.toThrow('more than 100000 documents');
  });

  test('unless a document is too long', async () => {
    const bytes = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield utf8('{"a": "');
      for (let at = 0; at < 17; at += 1) yield new Uint8Array(1024 * 1024).fill(0x61);
    };
    await expect(allOf(bytes())).rejects.toThrow('has more than 8.0 MiB');
  });
});
