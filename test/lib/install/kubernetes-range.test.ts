import { describe, expect, test } from 'vitest';
import type { Archive } from '../../../lib/archives/index.ts';
import { requireKubernetes } from '../../../lib/install/kubernetes-range.ts';

const archives = [
  { path: 'any.iso', catalog: { metadata: {} } },
  { path: 'web.iso', catalog: { metadata: { kubernetes: '>=1.29 <1.36' } } },
] as unknown as Archive[];
const facts = (version: string | undefined) => ({ version, apiVersions: [], namespaced: () => undefined });

describe('the Kubernetes versions that a Solution is for', () => {
  test('are compared with that of the API server, whatever a distributor adds to it', () => {
    expect(() => requireKubernetes(archives, facts('v1.35.4+k3s1'))).not.toThrow();
    expect(() => requireKubernetes(archives, undefined)).not.toThrow();
    expect(() => requireKubernetes(archives, facts(undefined))).not.toThrow();
  });

  test('refuse another cluster, naming archive, range and version', () => {
    expect(() => requireKubernetes(archives, facts('v1.36.0'))).toThrow(
      expect.objectContaining({
        code: 'kubernetes-unsupported',
        subject: 'web.iso',
        message: 'is for Kubernetes >=1.29 <1.36, the cluster has v1.36.0',
      }),
    );
  });
});
