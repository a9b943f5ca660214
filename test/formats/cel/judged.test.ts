import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { controlPlaneTest, sharedControlPlane } from '../../support/control-plane.ts';
import { outcomeHere } from './outcome.ts';
import { celTable, judgedObject } from './table.ts';

const plane = sharedControlPlane();

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'databases.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Database', plural: 'databases' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** How many policies an API server tells of in the warnings of one answer, which it cuts. */
const TOGETHER = 20;

/** A policy that only warns, of one expression, and what binds it to objects of its batch. */
function policy(name: string, expression: string, batch: string): object[] {
  const rule = { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['databases'] };
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: expression.replaceAll(/\bself\b/g, 'object'), message: 'is false' }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: ['Warn'],
        matchResources: { objectSelector: { matchLabels: { batch } } },
      },
    },
  ];
}

/** Asks a real API server what it makes of expressions, by policies for which an object is tried and not stored. */
async function outcomesThere(expressions: readonly string[]): Promise<(boolean | 'error' | 'refused')[]> {
  const create = (objects: readonly object[], ...args: string[]): ReturnType<ReturnType<typeof plane>['tried']> =>
    plane().tried(['create', ...args, '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
    });
  expect((await create([definition])).code).toBe(0);
  await plane().kubectl('wait', '--for=condition=Established', 'crd/databases.example.com');
  const batches = Array.from({ length: Math.ceil(expressions.length / TOGETHER) }, (_, batch) => String(batch));
  const batchOf = (index: number): string => String(Math.floor(index / TOGETHER));
  const policies = expressions.flatMap((one, index) => policy(`judge-${index}`, one, batchOf(index)));
  // Something is always said, so that a batch of which nothing else is wrong is told from one that is not in force.
  const created = await create([...policies, ...batches.flatMap((batch) => policy(`batch-${batch}`, 'false', batch))]);
  const refused = new Set([...created.stderr.matchAll(/"judge-(\d+)" is invalid/g)].map(([, index]) => Number(index)));
  const outcomes: (boolean | 'error' | 'refused')[] = expressions.map((_, index) =>
    refused.has(index) ? 'refused' : true,
  );
  for (const batch of batches) {
    const labels = { ...judgedObject.metadata.labels, batch };
    const object = { ...judgedObject, metadata: { ...judgedObject.metadata, labels } };
    const warnings = await settled(async () => (await create([object], '--dry-run=server')).stderr);
    for (const [, index, what] of warnings.matchAll(/'judge-(\d+)' with binding '[^']*': (.*)/g)) {
      outcomes[Number(index)] = what === 'is false' ? false : 'error';
    }
  }
  return outcomes;
}

/** Asks again until the answer has stayed the same for a while: policies take some time to be in force. */
async function settled(ask: () => Promise<string>): Promise<string> {
  let last = '';
  for (let same = 0; same < 3; ) {
    const now = (await ask()).split('\n').sort().join('\n');
    same = now === last && now.includes("'batch-") ? same + 1 : 0;
    last = now;
    // Clock: that nothing changes any more is only seen after a while.
    await sleep(300);
  }
  return last;
}

describe('an expression of CEL', () => {
  controlPlaneTest('means here what it means to a real API server', async () => {
    const expressions = celTable.map(([expression]) => expression);
    const there = await outcomesThere(expressions);
    const here = expressions.map(outcomeHere);
    const told = (outcomes: readonly unknown[]): string[] =>
      expressions.map((expression, index) => `${expression} is ${outcomes[index]}`);
    expect(told(here)).toEqual(told(there));
    expect(told(there)).toEqual(celTable.map(([expression, outcome]) => `${expression} is ${outcome}`));
  });
});
