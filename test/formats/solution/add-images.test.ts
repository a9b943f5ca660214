import { describe, expect, test } from 'vitest';
import { addImages } from '../../../formats/solution/add-images.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';

const head = '# A Solution.\nname = "hello"   # its name\nversion = "1.0.0"\n';
const component = '\n# Charts.\n[[components]]\nname = "web"\nkind = "helm"\npath = "web"\n';
const added = ['a.example/one:1', 'a.example/two:2'];

/** Adds the images, and makes sure that nothing was lost, moved or rewritten. */
function grown(text: string): string {
  const after = addImages(text, added);
  const lines = after.split('\n');
  let at = -1;
  for (const line of text.split('\n'))
    at = lines.findIndex((one, index) => index > at && one.startsWith(line.replace(/\]$/, '')));
  expect(at).toBeGreaterThanOrEqual(0);
  return after;
}

/** The images of a definition, by their references. */
const references = (text: string): string[] =>
  parseDefinition(Buffer.from(text)).images.map(({ reference }) => reference);

const tables = (newline = '\n'): string =>
  added.map((one) => `[[images]]${newline}reference = "${one}"${newline}`).join(newline);

describe('images that are added to a definition', () => {
  test('stand at the end where there are none', () => {
    expect(addImages(head + component, added)).toBe(`${head}${component}\n${tables()}`);
    expect(addImages(`${head}${component}`.trimEnd(), added)).toBe(`${`${head}${component}`.trimEnd()}\n\n${tables()}`);
    expect(addImages(`${head}${component}\n`, added)).toBe(`${head}${component}\n${tables()}`);
  });

  test('stand behind the others, whatever follows these', () => {
    const images =
      '\n[[images]]\n# the web\nreference = "a.example/zero:0"\nplatforms = [\n  "linux/amd64", # one\n] # all\n';
    const after = grown(head + images + component);
    expect(after).toBe(`${head}${images}\n${tables()}${component}`);
    expect(references(after)).toEqual(['a.example/zero:0', ...added]);
    expect(grown(head + component + images)).toBe(`${head}${component}${images}\n${tables()}`);
    expect(addImages((head + component + images).trimEnd(), added)).toBe(`${head}${component}${images}\n${tables()}`);
  });

  test('have the line ends of the text', () => {
    const text = (head + component).replace(/ *#.*\n/g, '\n').replaceAll('\n', '\r\n');
    expect(addImages(text, added)).toBe(`${text}\r\n${tables('\r\n')}`);
  });

  test.each([
    ['in one line', 'images = [{ reference = "a.example/zero:0" }] # all\n'],
    ['in one line with a comma', 'images = [{ reference = "a.example/zero:0" }, ] # all\n'],
    ['in lines', 'images = [\n  # first\n  { reference = "a.example/zero:0" } # it\n]\n'],
    ['in lines with a comma', 'images = [\n  { reference = "a.example/zero:0" }, # it\n  # last\n]\n'],
    ['in lines that end with the list', 'images = [\n  { reference = "a.example/zero:0" }]\n'],
  ])('join a list of tables %s', (_, list) => {
    const after = addImages(head + list + component, added);
    expect(references(after)).toEqual(['a.example/zero:0', ...added]);
    for (const word of list.match(/#.*/g) ?? []) expect(after).toContain(word);
    expect(after.startsWith(head)).toBe(true);
    expect(after.endsWith(component)).toBe(true);
    expect(addImages(after, [])).toBe(after);
  });

  test.each(['images = []\n', 'images = [\n]\n', 'images = [ ] # none\n'])('fill the empty list %j', (list) => {
    const after = addImages(head + list + component, added);
    expect(references(after)).toEqual(added);
    for (const word of list.match(/#.*/g) ?? []) expect(after).toContain(word);
  });

  test('are refused in a text that is none', () => {
    expect(() => addImages('name = ', added)).toThrow(expect.objectContaining({ code: 'toml-invalid' }));
    expect(() => addImages('images = {}\n', added)).toThrow(expect.objectContaining({ code: 'toml-invalid' }));
    expect(() => addImages('images = 1\n', added)).toThrow(expect.objectContaining({ code: 'toml-invalid' }));
  });
});
