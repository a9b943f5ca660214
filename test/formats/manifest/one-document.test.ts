import { describe, expect, test } from 'vitest';
import { PositionedError } from '../../../formats/error.ts';
import { parseOneExactYaml, parseOneYaml } from '../../../formats/manifest/one-document.ts';

describe('a text that holds one document', () => {
  test('is read, with marks and documents without content around it', () => {
    for (const text of ['a: 1\n', '---\na: 1\n', '---\n# none\n---\na: 1\n---\n', '%YAML 1.1\n---\na: 1\n...\n']) {
      expect(parseOneYaml(text, 'file.yaml')?.value).toEqual({ a: 1 });
    }
    expect(parseOneExactYaml('9223372036854775807', 'file.yaml', 'yaml-invalid')?.value).toBe(9223372036854775807n);
    expect(parseOneYaml('# none\n', 'file.yaml')).toBeUndefined();
  });

  test('is refused at the second one', () => {
    for (const parse of [parseOneYaml, parseOneExactYaml]) {
      const refused = (): unknown => parse('a: 1\n---\n\nb: 2\n---\nc: 3\n', 'file.yaml', 'chart-invalid');
      expect(refused).toThrow(PositionedError);
      expect(refused).toThrow('file.yaml:4:1: a second document begins here');
    }
  });
});
