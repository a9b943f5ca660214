import { expect, test } from 'vitest';
import { diffView } from '../../../cli/view/diff.ts';
import { styleFor } from '../../../cli/view/style.ts';
import type { DiffResult } from '../../../lib/index.ts';
import { silentSink } from '../../support/sinks.ts';

const side = { name: 'shop', version: '1.0.0' };
const image = 'registry.example.com/a/very/long/name/of/an/image/that/takes/much/more/than/a/line/of/text';
const field = (path: string, from: unknown, to: unknown) => ({ path, from, to });
const result = {
  same: false,
  from: side,
  to: { ...side, version: '1.1.0' },
  images: { added: [{ reference: 'r/new:1', digest: 'sha256:1' }], removed: [], changed: [] },
  layers: { shared: 0, new: 1024, gone: 0 },
  installer: { added: [], removed: ['bin/helm'], changed: [] },
  objects: {
    added: [],
    removed: [],
    changed: [
      {
        component: 'web',
        object: 'Deployment a/web',
        fields: [
          field('replicas', 1, 2),
          field('image', `${image}:1`, `${image}:2`),
          field('script', 'a'.repeat(60), 'b'.repeat(60)),
        ],
      },
      ...['a', 'b', 'c', 'd'].map((name) => ({
        component: 'web',
        object: `ConfigMap a/${name}`,
        fields: [field('label', 'x', 'y')],
      })),
    ],
  },
  definitions: [],
  rights: [],
  unproved: [],
} as unknown as DiffResult;

const plainStyle = styleFor(silentSink, {});

test('tells what is new, gone and different, long values on lines of their own, from where they differ', () => {
  expect(diffView(result, plainStyle)).toEqual([
    'shop 1.0.0 -> shop 1.1.0',
    '  images:',
    '    + r/new:1 sha256:1',
    '  layers: 0 B shared, 1.0 KiB new, 0 B gone',
    '  installer:',
    '    - bin/helm',
    '  objects:',
    '    ~ Deployment a/web (web)',
    '        replicas: 1 -> 2',
    '        image: …ine/of/text:1" -> …ine/of/text:2"',
    '        script:',
    `          - "${'a'.repeat(60)}"`,
    `          + "${'b'.repeat(60)}"`,
    '    ~ in 4 objects: label: "x" -> "y"',
  ]);
});

test('has colours on a terminal, but for NO_COLOR', () => {
  const terminal = { ...silentSink, isTTY: true };
  const coloured = diffView(result, styleFor(terminal, {}));
  expect(coloured).toContain('    \u001b[32m+ r/new:1 sha256:1\u001b[39m');
  expect(coloured).toContain('        replicas: \u001b[31m1\u001b[39m -> \u001b[32m2\u001b[39m');
  expect(diffView(result, styleFor(terminal, { NO_COLOR: '1' })).join('')).not.toContain('\u001b');
});

test('escapes what a terminal would obey', () => {
  const evil = { ...result, installer: { added: ['a\u001b[2J'], removed: [], changed: [] } } as unknown as DiffResult;
  expect(diffView(evil, plainStyle)).toContain('    + a\\u001b[2J');
});
