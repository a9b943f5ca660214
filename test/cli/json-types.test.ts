import { expect, test } from 'vitest';
import { jsonResult } from '../../cli/output.ts';
import { jsonSchemas } from '../../cli/view/json.ts';

test('commands print what their schema has, and the compiler accepts nothing else', () => {
  const result = { folder: '/out', files: 2, bytes: 3 };
  const line = JSON.parse(jsonResult('extract', result));
  expect(jsonSchemas.extract.strict().parse(line)).toEqual({ schemaVersion: 1, ...result });
  // @ts-expect-error: no schema has this field
  jsonResult('extract', { ...result, more: 1 });
  // @ts-expect-error: the schema has one field more
  jsonResult('extract', { folder: '/out', files: 2 });
  // @ts-expect-error: the schema has another type
  jsonResult('extract', { ...result, bytes: '3' });
  const entry = { path: 'a', type: 'file', size: 1 } as const;
  expect(JSON.parse(jsonResult('ls', entry))).toEqual({ schemaVersion: 1, ...entry });
});
