import { describe, expect, test } from 'vitest';
import { fileFormats } from '../../../formats/document/schema-line.ts';
import { fileFields } from '../../../formats/file-schemas/fields.ts';

describe('the fields of a file', () => {
  test.each(fileFormats)('of %s are listed once each, below the field that they stand in', (format) => {
    const paths = fileFields(format).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.length).toBeGreaterThan(10);
    for (const [at, path] of paths.entries()) {
      const parent = path.slice(0, Math.max(path.lastIndexOf('.'), 0)).replace(/(?:\[\])+$/, '');
      if (parent !== '') expect([path, paths.slice(0, at).includes(parent)]).toEqual([path, true]);
    }
  });

  test('have what the schema says of them', () => {
    const fields = new Map(fileFields('definition').map((field) => [field.path, field]));
    expect(fields.get('components[].kind')).toMatchObject({
      ...{ type: 'text', required: true },
      values: expect.arrayContaining(['manifests', 'helm', 'plugin']),
      description: expect.stringContaining('What it is'),
    });
    expect(fields.get('components[].keep-drawn')).toMatchObject({ type: 'true or false', default: 'false' });
    expect(fields.get('components[].values')).toMatchObject({ type: 'a list of texts', required: false });
    expect(fields.get('components[].create-namespace')?.type).toBe('true or false or a table');
    expect(fields.get('components[].create-namespace.labels')?.type).toBe('a table');
    expect(fileFields('configuration').find(({ path }) => path === 'metadata.name')?.default).toBe('"default"');
  });
});
