import fc from 'fast-check';
import { expect, test } from 'vitest';
import { warningsOf } from '../../../../../../../lib/parts/clusters/kubernetes/health/diagnose/events.ts';
import { live } from '../readiness/object.ts';
import { event, explained, podOf } from './evidence.ts';

const types = [
  'apps/v1/Deployment',
  'apps/v1/StatefulSet',
  'batch/v1/Job',
  'v1/Pod',
  'v1/PersistentVolumeClaim',
  'v1/Service',
  'v1/Namespace',
  'apiextensions.k8s.io/v1/CustomResourceDefinition',
  'a.example/v1/Database',
];
const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.jsonValue({ maxDepth: 3 }));
const run = fc.record({ exitCode: value, reason: value, message: value }, { requiredKeys: [] });
const state = fc.record(
  {
    waiting: fc.record({
      reason: fc.oneof(fc.constantFrom('CrashLoopBackOff', 'ErrImagePull', 'StartError'), value),
      message: value,
    }),
    terminated: fc.oneof(run, value),
    running: value,
  },
  { requiredKeys: [] },
);
const container = fc.record({ name: value, state: fc.oneof(state, value), lastState: state, restartCount: value });
const status = fc.oneof(
  value,
  fc.record(
    {
      phase: fc.oneof(fc.constantFrom('Pending', 'Failed', 'Terminating'), value),
      conditions: fc.array(
        fc.record({ type: fc.constantFrom('Failed', 'PodScheduled', 'NamesAccepted'), status: value }),
      ),
      containerStatuses: fc.oneof(fc.array(container), value),
    },
    { requiredKeys: [] },
  ),
);

test('whatever was written about an object and its Pods, there is a cause and a hint', () => {
  const property = fc.property(
    fc.constantFrom(...types),
    value,
    status,
    status,
    value,
    (type, spec, own, pod, message) => {
      const about = podOf({ spec, status: pod });
      const events = ['Unhealthy', 'Killing', 'FailedMount', 'Pulling', 'FailedCreate'].map((reason) =>
        event(about, reason, message as string),
      );
      const found = explained(live(type, { spec, status: own }), { pods: [about], events });
      expect(found.cause).not.toBe('');
      expect(found.hint).not.toBe('');
      for (const line of warningsOf(events)) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    },
  );
  fc.assert(property, { numRuns: 1000 });
});
