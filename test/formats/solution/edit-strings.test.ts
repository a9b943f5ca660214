import { describe, expect, test } from 'vitest';
import { editStrings } from '../../../formats/solution/edit-strings.ts';

describe('strings of a definition', () => {
  test('are replaced where they are, with their kind of quotes, and every other byte stays', () => {
    const text = `# head\r\noperator='a:1'\r\n[[images]]\r\nreference = "a:1" # one\r\n[[images]]\r\nreference="b:1"\r\n`;
    const edits = [
      { path: 'images.1.reference', to: 'b:2' },
      { path: 'operator', to: 'a:2' },
      { path: 'images.0.reference', to: 'a:2' },
    ];
    const expected = text.replaceAll('a:1', 'a:2').replace('b:1', 'b:2');
    expect(editStrings(text, edits)).toBe(expected);
  });

  test('are replaced in inline tables, and in texts of several lines', () => {
    const text = `components = [\n  { name = "a", version = '1' }, # a\n  { name = "b", version = """2""" },\n]\n`;
    const edited = editStrings(text, [
      { path: 'components.0.version', to: '^2' },
      { path: 'components.1.version', to: '3' },
    ]);
    expect(edited).toBe(text.replace("'1'", "'^2'").replace('"""2"""', '"3"'));
  });

  test('that are not there are refused', () => {
    expect(() => editStrings('name = "a"\n', [{ path: 'version', to: '1' }])).toThrow(/cannot change/);
  });
});
