import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readinessOf } from '../../../../../../../lib/parts/clusters/kubernetes/health/readiness/index.ts';
import { rules } from '../../../../../../../lib/parts/clusters/kubernetes/health/readiness/kinds.ts';
import type { LiveObject } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { oneLine } from '../../../../../../../lib/parts/clusters/kubernetes/server/one-line.ts';

const kinds = [...rules.keys(), 'a.example/Database', '/ConfigMap'].map((key) => {
  const [group, kind] = key.split('/');
  return { apiVersion: group === '' ? 'v1' : `${group}/v1`, kind: kind! };
});

/** Text that would break a line, a terminal, or the direction of writing. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    'a\nb',
    '\u001b[31mred\u001b[0m',
    'a\r\u2028b\u2029c',
    '\u202egnp.exe',
    '\ud800',
    '',
    'x'.repeat(900),
  ),
);
const value = fc.oneof(hostile, fc.integer(), fc.double(), fc.boolean(), fc.jsonValue({ maxDepth: 2 }));
const conditions = fc.array(
  fc.record(
    {
      type: fc.constantFrom('Ready', 'Available', 'Failed', 'Complete', 'Stalled', 'Reconciling', 'PodScheduled', 'x'),
      status: fc.oneof(fc.constantFrom('True', 'False', 'Unknown'), value),
      reason: value,
      message: value,
      observedGeneration: value,
    },
    { requiredKeys: ['type'] },
  ),
  { maxLength: 4 },
);
const counts = [
  'replicas',
  'updatedReplicas',
  'availableReplicas',
  'readyReplicas',
  'desiredNumberScheduled',
  'failed',
];
const part = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record(
    {
      conditions: fc.oneof(conditions, value),
      phase: fc.oneof(fc.constantFrom('Pending', 'Running', 'Failed', 'Bound'), value),
      message: hostile,
      observedGeneration: value,
      type: fc.constantFrom('LoadBalancer', 'ClusterIP'),
      loadBalancerClass: hostile,
      clusterIP: hostile,
      restartPolicy: fc.constant('Never'),
      updateStrategy: value,
      containerStatuses: fc.array(fc.record({ name: value, state: fc.dictionary(fc.constant('terminated'), value) })),
      ...Object.fromEntries(counts.map((name) => [name, value])),
    },
    { requiredKeys: [] },
  ),
);
const metadata = fc.record(
  { generation: value, annotations: value, finalizers: value, deletionTimestamp: fc.option(fc.string()) },
  { requiredKeys: [] },
);

test('whatever a controller wrote, there is a state and one short line', () => {
  const property = fc.property(fc.constantFrom(...kinds), metadata, part, part, (kind, meta, spec, status) => {
    const own = { name: 'x', uid: 'u', resourceVersion: '1', ...meta };
    const { state, message } = readinessOf({ ...kind, metadata: own, spec, status } as unknown as LiveObject);
    expect(['ready', 'waiting', 'failed', 'terminating']).toContain(state);
    expect(message).not.toBe('');
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|NaN|undefined|\[object/u);
    expect(message.length).toBeLessThanOrEqual(200);
  });
  fc.assert(property, { numRuns: 3000 });
});

test('one line stays one line, and what is cut says so', () => {
  expect(oneLine('\u001b[1;31merror:\u001b[0m\tdisk\r\n  full\u0000 ')).toBe('error: disk full');
  expect(oneLine('ab\u202ecd\u2028ef')).toBe('ab cd ef');
  expect(oneLine('abcdef', 6)).toBe('abcdef');
  expect(oneLine('abcdefg', 6)).toBe('abcde…');
  expect(oneLine('abcd😀e', 6)).toBe('abcd…');
});
