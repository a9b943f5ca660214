import { expect, test } from 'vitest';
import { askedSchema, fileFormats, schemaLine } from '../../../formats/document/schema-line.ts';

test('the line that asks for a schema is a comment, and names a file beside', () => {
  expect(schemaLine('definition')).toBe('#:schema .solpack/schemas/definition.schema.json');
  expect(schemaLine('configuration')).toBe(
    '# yaml-language-server: $schema=.solpack/schemas/configuration.schema.json',
  );
});

test.each(fileFormats)('a file that begins with that of a %s asks for it', (format) => {
  const line = schemaLine(format);
  for (const text of [line, `${line}\n`, `# Ours.\r\n#\r\n${line}\r\nname = "a"\r\n`, `${line}  \nname = "a"\n`]) {
    expect(askedSchema(text)).toBe(format);
  }
});

test.each([
  ['nothing', ''],
  ['a comment alone', '# a'],
  ['a schema elsewhere', '#:schema https://example.com/definition.schema.json\n'],
  ['another file beside', '#:schema solution.schema.json\nname = "a"\n'],
  ['a line that stands too late', `name = "a"\n${schemaLine('definition')}\n`],
  ['a line behind a blank one', `\n${schemaLine('definition')}\n`],
])('a file with %s asks for none of ours', (_, text) => {
  expect(askedSchema(text)).toBeUndefined();
});
