import { describe, expect, test } from 'vitest';
import { SolpackError } from '../../../../../../../lib/kernel/events/errors.ts';
import { ApiError } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { clusterError, isImmutable } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/failure.ts';

const server = 'https://10.0.0.1:6443';

interface Refusal {
  readonly status: number;
  readonly reason?: string;
  readonly message: string;
  readonly causes?: ApiError['causes'];
  readonly subject?: string;
}
const apiError = ({ status, reason = '', message, causes = [], subject = 'ConfigMap a/b' }: Refusal): ApiError =>
  new ApiError({ verb: 'apply', subject }, { status, reason, causes }, message);
const told = (refusal: Refusal): SolpackError => {
  const error = clusterError(apiError(refusal), server);
  if (error instanceof SolpackError) return error;
  throw new Error('it is not told');
};

test('other errors pass through', () => {
  for (const error of [new Error('x'), new SolpackError('disk-full', 'a', 'b'), undefined]) {
    expect(clusterError(error, server)).toBe(error);
  }
});

describe('what a server says of permissions becomes who may not do what', () => {
  test.each([
    [
      'configmaps "t" is forbidden: User "system:serviceaccount:a:v" cannot patch resource "configmaps" in API group "" in the namespace "a"',
      'user "system:serviceaccount:a:v" may not patch configmaps in the namespace "a"',
    ],
    [
      'deployments.apps is forbidden: User "ada" cannot list resource "deployments" in API group "apps" at the cluster scope: RBAC: role not found',
      'user "ada" may not list deployments.apps at the cluster scope',
    ],
    ['forbidden: User "ada" cannot get path "/version"', 'user "ada" may not get /version'],
    [
      'roles.rbac.authorization.k8s.io "r" is forbidden: user "ada" (groups=["g"]) is attempting to grant RBAC permissions not currently held: {APIGroups:["*"]}',
      'user "ada" may not grant permissions that it does not hold: {APIGroups:["*"]}',
    ],
  ])('%s', (message, words) => {
    expect(told({ status: 403, reason: 'Forbidden', message })).toMatchObject({
      code: 'cluster-forbidden',
      subject: 'ConfigMap a/b',
      message: words,
      exit: 5,
    });
  });

  test('and nobody is reported that the server knows nobody', () => {
    const message =
      'secrets is forbidden: User "system:anonymous" cannot list resource "secrets" in API group "" at the cluster scope';
    expect(told({ status: 403, reason: 'Forbidden', message }).hint).toContain('check the user of the kubeconfig');
  });

  test('and a proxy that forbids something is reported as it is', () => {
    expect(told({ status: 403, message: 'blocked by policy' })).toMatchObject({
      code: 'cluster-forbidden',
      message: 'apply is forbidden: blocked by policy',
      hint: expect.stringContaining('proxy'),
    });
  });
});

describe('an object that is refused is reported with the reason', () => {
  test.each<[Refusal, string, string]>([
    [
      {
        status: 403,
        reason: 'Forbidden',
        message:
          'configmaps "t" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=1',
      },
      'apply is refused: exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=1',
      'ResourceQuota',
    ],
    [
      {
        status: 403,
        reason: 'Forbidden',
        message: 'pods "t" is forbidden: violates PodSecurity "restricted:latest": privileged',
      },
      'apply is refused: violates PodSecurity "restricted:latest": privileged',
      'pod-security.kubernetes.io/enforce',
    ],
    [
      {
        status: 403,
        reason: 'Forbidden',
        message:
          'configmaps "t" is forbidden: unable to create new content in namespace d because it is being terminated',
        causes: [
          { reason: 'NamespaceTerminating', message: 'namespace d is being terminated', field: 'metadata.namespace' },
        ],
      },
      'apply is refused: unable to create new content in namespace d because it is being terminated',
      'wait until the namespace is gone',
    ],
    [
      {
        status: 422,
        reason: 'Invalid',
        message: `serviceaccounts "l" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: not here`,
        causes: [{ message: `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: not here` }],
      },
      `apply is refused: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: not here`,
      'policy',
    ],
    [
      { status: 400, message: 'admission webhook "w.example.com" denied the request: no owner label' },
      'apply is refused: admission webhook "w.example.com" denied the request: no owner label',
      'webhook',
    ],
    [
      {
        status: 500,
        message: 'failed to create typed patch object (a/b; /v1, Kind=ConfigMap): .dta: field not declared in schema',
      },
      'apply is refused: .dta: field not declared in schema',
      'correct the name of the field',
    ],
    [
      {
        status: 500,
        message: 'failed to create typed patch object (a/b; /v1, Kind=ConfigMap): .data.a: expected string, got 5',
      },
      'apply is refused: .data.a: expected string, got 5',
      'type of the field',
    ],
    [
      { status: 413, reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' },
      'apply is refused: Request entity too large: limit is 3145728',
      'smaller',
    ],
    [
      { status: 404, reason: 'NotFound', message: 'namespaces "nope" not found' },
      'the namespace nope does not exist',
      'add the Namespace',
    ],
  ])('%#', (refusal, message, hint) => {
    expect(told(refusal)).toMatchObject({
      code: 'object-refused',
      message,
      hint: expect.stringContaining(hint),
      exit: 5,
    });
  });

  test('all fields that are wrong, up to ten', () => {
    const causes = Array.from({ length: 12 }, (_, at) => ({
      reason: 'FieldValueRequired',
      message: 'Required value',
      field: `spec.f${at}`,
    }));
    const { message, code } = told({
      status: 422,
      reason: 'Invalid',
      message: 'Deployment.apps "s" is invalid: …',
      causes,
    });
    expect(code).toBe('object-refused');
    expect(message).toMatch(/^apply is refused: spec\.f0: Required value; .*spec\.f9: Required value; and 2 more$/);
  });

  test('a field of which nobody says what is wrong', () => {
    const causes = [{ reason: 'x', field: 'spec.a' }];
    expect(told({ status: 422, reason: 'Invalid', message: 'no', causes }).message).toBe('apply is refused: spec.a');
  });
});

describe('an object that belongs to somebody else is reported', () => {
  test('with all managers and fields', () => {
    const causes = [
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "kubectl-client-side-apply" using apps/v1',
        field: '.spec.replicas',
      },
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "hpa" with subresource "scale" using apps/v1',
        field: '.spec.x',
      },
      { reason: 'FieldManagerConflict', message: 'conflict with "hpa" using apps/v1', field: '.data.a' },
    ];
    expect(told({ status: 409, reason: 'Conflict', message: 'Apply failed with 3 conflicts', causes })).toMatchObject({
      code: 'object-conflict',
      message: 'fields belong to "kubectl-client-side-apply", "hpa": .spec.replicas; .spec.x; .data.a',
      hint: expect.stringContaining('--force-conflicts'),
    });
  });

  test('but a change at the same time is another matter', () => {
    const message = 'Operation cannot be fulfilled on configmaps "b": the object has been modified';
    expect(told({ status: 409, reason: 'Conflict', message })).toMatchObject({
      code: 'cluster-error',
      hint: expect.stringContaining('again'),
    });
  });
});

describe('what else a server answers is reported', () => {
  test.each<[Refusal, string, string]>([
    [
      { status: 401, reason: 'Unauthorized', message: 'user "ada" of /k expired' },
      'cluster-unauthorized',
      'get a new kubeconfig',
    ],
    [
      { status: 404, message: 'the server could not find the requested resource' },
      'kind-unknown',
      'CustomResourceDefinition',
    ],
    [
      { status: 404, message: 'page not found', subject: '/version' },
      'cluster-error',
      'the address is that of an API server',
    ],
    [{ status: 404, message: 'namespaces "x" not found', subject: 'Namespace x' }, 'cluster-error', 'check'],
    [{ status: 429, reason: 'TooManyRequests', message: 'busy' }, 'cluster-error', 'busy'],
    [
      { status: 500, reason: 'InternalError', message: 'etcdserver: no leader' },
      'cluster-error',
      'log of the API server',
    ],
    [{ status: 503, message: 'service unavailable' }, 'cluster-error', 'starting or overloaded'],
    [
      { status: 200, message: 'the answer is not JSON', subject: '/version' },
      'cluster-error',
      'check the address https://10.0.0.1:6443',
    ],
    [{ status: 0, reason: 'TooLarge', message: 'the answer has more than 5 bytes' }, 'cluster-error', 'so large'],
    [
      { status: 400, message: 'Client sent an HTTP request to an HTTPS server.' },
      'cluster-unreachable',
      'use https://',
    ],
    [
      {
        status: 500,
        reason: 'InternalError',
        message: 'Internal error occurred: failed calling webhook "w.example.com": refused',
      },
      'cluster-error',
      'the service of the webhook w.example.com does not answer',
    ],
  ])('%#', (refusal, code, hint) => {
    expect(told(refusal)).toMatchObject({ code, hint: expect.stringContaining(hint) });
  });
});

describe('a field that never changes is recognised', () => {
  const invalid = (message: string): ApiError =>
    apiError({
      status: 422,
      reason: 'Invalid',
      message: 'is invalid',
      causes: [{ reason: 'FieldValueInvalid', message, field: 'spec' }],
    });

  test.each([
    'Invalid value: {"matchLabels":{"a":"c"}}: field is immutable',
    'Invalid value: ["10.96.0.78"]: may not change once set',
    "Forbidden: updates to statefulset spec for fields other than 'replicas', 'template' are forbidden",
    'Forbidden: spec is immutable after creation except resources.requests for bound claims',
    'Invalid value: "x": cannot change roleRef',
    'Forbidden: pod updates may not change fields other than `spec.containers[*].image`',
    'Forbidden: updates to parameters are forbidden.',
    'Forbidden: may not be changed in an update.',
  ])('%s', (message) => {
    expect(isImmutable(invalid(message))).toBe(true);
  });

  test.each([
    'Required value',
    'Invalid value: {"a":"d"}: `selector` does not match template `labels`',
    'Unsupported value: "x"',
  ])('and others are not taken for one: %s', (message) => {
    expect(isImmutable(invalid(message))).toBe(false);
  });

  test('nor is the same word of another refusal', () => {
    expect(
      isImmutable(apiError({ status: 403, reason: 'Forbidden', message: 'x is forbidden: field is immutable' })),
    ).toBe(false);
  });
});

test('a full etcd is named as such', () => {
  const message = 'etcdserver: mvcc: database space exceeded';
  expect(told({ status: 500, reason: 'InternalError', message })).toMatchObject({
    code: 'cluster-error',
    message: `apply failed: ${message}`,
    hint: expect.stringContaining('etcd is full'),
  });
});
