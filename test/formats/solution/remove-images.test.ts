import { describe, expect, test } from 'vitest';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { removeImages } from '../../../formats/solution/remove-images.ts';

const head = '# A Solution.\nname = "hello"   # its name\nversion = "1.0.0"\n';
const component = '\n# Charts.\n[[components]]\nname = "web"\nkind = "helm"\npath = "web"\n';

const references = (text: string): string[] =>
  parseDefinition(Buffer.from(text)).images.map(({ reference }) => reference);

const table = (name: string, more = ''): string =>
  `\n# About ${name}.\n[[images]]\nreference = "a.example/${name}:1"\n${more}`;

describe('images that are taken out of a definition', () => {
  test('go with their fields, and leave comments and everything else', () => {
    const two = table('two', 'platforms = [\n  "linux/amd64", # one\n] # all\n# Its source.\nsource = "oci:two"\n');
    const text = head + table('one') + two + component + table('three');
    const after = removeImages(text, [1]);
    expect(after).toBe(`${head}${table('one')}\n# About two.\n# Its source.\n${component}${table('three')}`);
    expect(references(removeImages(text, [0, 2]))).toEqual(['a.example/two:1']);
    expect(removeImages(text, [])).toBe(text);
    expect(references(removeImages(text.trimEnd(), [0, 1, 2]))).toEqual([]);
    const lines = text.replaceAll('\n', '\r\n');
    expect(removeImages(lines, [1])).toBe(after.replaceAll('\n', '\r\n'));
  });

  test.each([
    [
      'in one line',
      '[{ reference = "a.example/one:1" }, { reference = "a.example/two:1" }]',
      '[{ reference = "a.example/two:1" }]',
    ],
    [
      'in lines',
      '[\n  # first\n  { reference = "a.example/one:1" }, # it\n  # second\n  { reference = "a.example/two:1", platforms = ["linux/amd64"] }\n]',
      '[\n  # first\n  # second\n  { reference = "a.example/two:1", platforms = ["linux/amd64"] }\n]',
    ],
  ])('leave a list of tables %s', (_, list, expected) => {
    expect(removeImages(`${head}images = ${list} # all\n${component}`, [0])).toBe(
      `${head}images = ${expected} # all\n${component}`,
    );
    expect(references(removeImages(`${head}images = ${list}\n${component}`, [0, 1]))).toEqual([]);
    expect(references(removeImages(`${head}images = ${list}\n${component}`, [1]))).toEqual(['a.example/one:1']);
  });

  test('refuses what it would damage', () => {
    expect(() => removeImages(`${head}images = [`, [0])).toThrow();
    const dotted = `${head}[[images]]\nreference = "a:1"\n[[images]]\n"reference" = "b:1"\n`;
    expect(references(removeImages(dotted + component, [1]))).toEqual(['docker.io/library/a:1']);
  });
});
