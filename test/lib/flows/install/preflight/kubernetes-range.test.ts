import { describe, expect, test } from 'vitest';
import { embeddedRegistry } from '../../../../../lib/flows/install/index.ts';
import { kubernetesCheck } from '../../../../../lib/flows/install/preflight/kubernetes-range.ts';
import type { Archive } from '../../../../../lib/parts/archives/index.ts';
import { testFlow } from '../../../../support/flow.ts';

const archives = [
  { path: 'any.iso', catalog: { metadata: {} } },
  { path: 'web.iso', catalog: { metadata: { kubernetes: '>=1.29 <1.36' } } },
  { path: 'old.iso', catalog: { metadata: { kubernetes: '<1.36' } } },
] as unknown as Archive[];
const delivery = embeddedRegistry({ host: '127.0.0.1', port: 0, hold: false });
const facts = (version: string | undefined) => ({ version, apiVersions: [], namespaced: () => undefined });
const found = (cluster: ReturnType<typeof facts> | undefined) =>
  kubernetesCheck({ archives, delivery, facts: cluster, folders: [], mayTry: false }, testFlow());

describe('the Kubernetes versions that a Solution is for', () => {
  test('are compared with that of the API server, whatever a distributor adds to it', async () => {
    expect(await found(facts('v1.35.4+k3s1'))).toEqual([]);
    expect(await found(undefined)).toEqual([]);
    expect(await found(facts(undefined))).toEqual([]);
  });

  test('are not those of another cluster, which is told of each archive with range and version', async () => {
    expect(await found(facts('v1.36.0'))).toMatchObject([
      {
        code: 'kubernetes-unsupported',
        subject: 'web.iso',
        message: 'is for Kubernetes >=1.29 <1.36, the cluster has v1.36.0',
      },
      { subject: 'old.iso', message: 'is for Kubernetes <1.36, the cluster has v1.36.0' },
    ]);
  });
});
