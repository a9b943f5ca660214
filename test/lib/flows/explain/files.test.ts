import { expect, test } from 'vitest';
import { fileFormats } from '../../../../formats/document/schema-line.ts';
import { explainedFiles, explainFile } from '../../../../lib/flows/explain/files.ts';

test('a file is explained by its name, by that of its format, by its path, and by that of its manual page', () => {
  for (const given of ['trust.toml', 'policy', '/etc/solpack/trust.toml', 'Trust.toml', 'trust.toml(5)']) {
    expect(explainFile(given)?.format).toBe('policy');
  }
  expect(explainFile('values.yaml')).toBeUndefined();
  expect(explainFile('constructor')).toBeUndefined();
});

test('all formats are explained, each by a name of its own', () => {
  const files = explainedFiles();
  expect(files.map(({ format }) => format)).toEqual(fileFormats);
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
});
