import { expect, test } from 'vitest';
import { formatRendering, parseRendering, type Rendering } from '../../../../lib/shared/rendering/rendering-record.ts';

const rendering: Rendering = {
  inputs: 'sha256:1',
  facts: 'sha256:2',
  brought: ['metrics.k8s.io/v1'],
  upgrade: true,
  traits: { asksKinds: true, looksUp: false, draws: true, defines: ['a/v1'] },
  objects: [
    // In an order of fields of its own, which is kept.
    {
      object: { metadata: { labels: { b: '1', a: '2' }, name: 'a' }, spec: [1, null], kind: 'A', apiVersion: 'v1' },
      source: 'a/templates/a.yaml',
    },
    { object: { apiVersion: 'v1', kind: 'B', metadata: { name: 'b' } }, source: undefined },
  ],
  notices: [{ subject: 'web', message: 'told' }],
};

test('a rendering is read as it was written, to the order of the fields of objects', () => {
  const bytes = formatRendering(rendering);
  expect(parseRendering(bytes)).toEqual(rendering);
  expect(Buffer.from(formatRendering(parseRendering(bytes)!)).toString()).toBe(Buffer.from(bytes).toString());
});

test.each([
  '',
  'null',
  '[]',
  '{"format":2}',
  Buffer.from(formatRendering(rendering)).toString().replace('"format":1', '"format":2'),
  Buffer.from(formatRendering(rendering)).toString().replace('"name":"b"', '"name":1'),
  Buffer.from(formatRendering(rendering)).toString().slice(0, -1),
])('what is no rendering of this release counts as none: %s', (text) => {
  expect(parseRendering(Buffer.from(text))).toBeUndefined();
});
