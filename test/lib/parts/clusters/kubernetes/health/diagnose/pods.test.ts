import { describe, expect, test } from 'vitest';
import { condition, live } from '../readiness/object.ts';
import { deployment, event, explained, explainedBy, podIn, podOf } from './evidence.ts';

describe('a Pod on no node', () => {
  const unplaced = (message: string, reason = 'Unschedulable', spec: object = {}) =>
    podOf({ spec, status: { phase: 'Pending', conditions: [condition('PodScheduled', 'False', reason, message)] } });

  test.each([
    ['1 Insufficient cpu', 'lower its requests of cpu'],
    ['1 Insufficient nvidia.com/gpu', 'give the node more nvidia.com/gpu'],
    ['1 Too many pods', 'maxPods'],
    ["1 node(s) didn't have free ports for the requested pod ports", 'hostPort'],
    ['1 node(s) had untolerated taint(s)', 'toleration'],
    ["1 node(s) didn't match Pod's node affinity/selector", 'nodeSelector'],
    ['persistentvolumeclaim "data" not found', 'add PersistentVolumeClaim data to this component'],
    ['pod has unbound immediate PersistentVolumeClaims', 'StorageClass'],
    ["1 node(s) didn't find available persistent volumes to bind", 'StorageClass'],
    ['1 node(s) were unschedulable', 'kubectl uncordon'],
    ['1 node(s) had a bad day', '"kubectl -n shop describe pod web-1"'],
  ])('says what the scheduler says: %s', (words, hint) => {
    const tail = 'no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful.';
    const found = explainedBy(unplaced(`0/1 nodes are available: ${words}. ${tail}`));
    expect(found.cause).toBe(`Pod web-1 cannot be placed on a node: 0/1 nodes are available: ${words}`);
    expect(found.hint).toContain(hint);
  });

  test('waits for its scheduling gates, or for a scheduler that nobody runs', () => {
    const gates = { schedulingGates: [{ name: 'a.example/wait' }] };
    expect(explainedBy(unplaced('Scheduling is blocked', 'SchedulingGated', gates)).cause).toBe(
      'Pod web-1 is held back from nodes by its scheduling gates a.example/wait',
    );
    expect(explainedBy(podOf({ spec: { schedulerName: 'mine' }, status: { phase: 'Pending' } })).cause).toBe(
      'Pod web-1 waits for scheduler mine, which has not looked at it',
    );
  });
});

describe('a Pod on a node', () => {
  const creating = podIn({ waiting: { reason: 'ContainerCreating' } });

  test('does not get a volume whose ConfigMap is missing', () => {
    const message = 'MountVolume.SetUp failed for volume "cfg" : configmap "gone" not found';
    const found = explainedBy(creating, [event(creating, 'FailedMount', message)]);
    expect(found.cause).toBe(`Pod web-1 does not get its volumes: ${message}`);
    expect(found.hint).toContain('create ConfigMap gone');
    const started = event(creating, 'Started', 'Started container app', { type: 'Normal' });
    expect(explainedBy(creating, [event(creating, 'FailedMount', message), started]).cause).not.toContain('volumes');
  });

  test('does not get its network', () => {
    const found = explainedBy(creating, [event(creating, 'FailedCreatePodSandBox', 'no addresses left')]);
    expect(found.cause).toBe('Pod web-1 cannot be set up: no addresses left');
  });

  test('still pulls its image', () => {
    const pulling = event(creating, 'Pulling', 'Pulling image "registry.example.com/app:1"', { type: 'Normal' });
    expect(explainedBy(creating, [pulling]).cause).toBe('Pod web-1 is still pulling image registry.example.com/app:1');
    const pulled = event(creating, 'Pulled', 'Successfully pulled image', { type: 'Normal' });
    expect(explainedBy(creating, [pulling, pulled]).cause).not.toContain('pulling');
  });

  test('waits behind a readiness gate', () => {
    const conditions = [condition('ContainersReady', 'True'), condition('Ready', 'False')];
    const spec = { nodeName: 'node1', readinessGates: [{ conditionType: 'a.example/lb' }] };
    expect(explainedBy(podOf({ spec, status: { conditions } })).cause).toBe(
      'Pod web-1 runs, but its readiness gate a.example/lb is closed',
    );
    const open = [...conditions, condition('a.example/lb', 'True')];
    expect(explainedBy(podOf({ spec, status: { conditions: open } })).cause).not.toContain('gate');
  });

  test('was evicted', () => {
    const status = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' };
    expect(explainedBy(podOf({ spec: { nodeName: 'node1' }, status })).cause).toBe(
      'Pod web-1 failed (Evicted): The node was low on resource: memory.',
    );
  });
});

describe('Pods that cannot be created', () => {
  const refused = (message: string) => ({
    ...deployment,
    status: { observedGeneration: 1, conditions: [condition('ReplicaFailure', 'True', 'FailedCreate', message)] },
  });

  test.each([
    [
      'pods "web-1" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=2, limited: pods=2',
      'quota compute is used up (requested: pods=1, used: pods=2, limited: pods=2)',
      'ResourceQuota compute in namespace shop',
    ],
    [
      'pods "web-1" is forbidden: failed quota: compute: must specify limits.cpu for: app',
      'by quota compute it must specify limits.cpu for: app',
      'requests and limits',
    ],
    [
      'pods "web-1" is forbidden: violates PodSecurity "restricted:latest": unrestricted capabilities (container "app" must set securityContext.capabilities.drop=["ALL"]), host namespaces (hostNetwork=true), runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)',
      'it violates PodSecurity "restricted:latest": container "app" must set capabilities.drop=["ALL"], host namespaces (hostNetwork=true), pod or container "app" must set runAsNonRoot=true',
      'pod-security.kubernetes.io/enforce',
    ],
    [
      'admission webhook "a.example" denied the request: not on Sunday',
      'webhook a.example denies it: not on Sunday',
      'exception',
    ],
    [
      'admission webhook "a.example" denied the request without explanation',
      'webhook a.example denies it',
      'exception',
    ],
    [
      'Internal error occurred: failed calling webhook "a.example": failed to call webhook: Post "https://a": connection refused',
      'webhook a.example cannot be asked: Post "https://a": connection refused',
      'start the server behind the webhook',
    ],
    [
      "pods \"web-1\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no Pods here",
      'ValidatingAdmissionPolicy p denies it: no Pods here',
      'policy',
    ],
    [
      'pods "web-1" is forbidden: error looking up service account shop/bot: serviceaccount "bot" not found',
      'ServiceAccount bot does not exist in namespace shop',
      'add ServiceAccount bot',
    ],
    [
      'pods "web-1" is forbidden: no PriorityClass with name high was found',
      'PriorityClass high does not exist',
      'add PriorityClass high',
    ],
    ['something new', 'no Pod can be created: something new', '"kubectl -n shop describe deployment web"'],
  ])('%s', (message, cause, hint) => {
    const found = explained(refused(message));
    expect(found.cause).toMatch(/^no Pod can be created: /);
    expect(found.cause).toContain(cause);
    expect(found.hint).toContain(hint);
  });

  test('are reported by events where the workload has no condition, until one is created', () => {
    const set = live('apps/v1/StatefulSet', { status: { observedGeneration: 1 } });
    const message = 'pods "web-0" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0';
    const failed = event(set, 'FailedCreate', `Create Pod web-0 in StatefulSet web failed error: ${message}`);
    expect(explained(set, { events: [failed] }).cause).toContain('quota q is used up');
    const created = event(set, 'SuccessfulCreate', 'create Pod web-0 in StatefulSet web successful', {
      type: 'Normal',
    });
    expect(explained(set, { events: [failed, created] }).cause).toBe('0 of 1 replica is available');
  });

  test('matter less than Pods that are there and fail', () => {
    const pod = podIn({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "db" not found' } });
    expect(explained(refused('exceeded quota: q, requested: pods=1'), { pods: [pod] }).cause).toContain('secret "db"');
  });
});

describe('a Job that failed', () => {
  const job = (reason: string, message: string) =>
    live('batch/v1/Job', { status: { conditions: [condition('Failed', 'True', reason, message)] } });

  test('is reported by its Pod', () => {
    const pod = podIn({ terminated: { exitCode: 4 } });
    expect(explained(job('BackoffLimitExceeded', 'limit'), { pods: [pod] }).cause).toContain('exit code 4');
  });

  test('whose Pods are gone says how to keep them', () => {
    const found = explained(job('BackoffLimitExceeded', 'Job has reached the specified backoff limit'));
    expect(found.cause).toBe('Job has reached the specified backoff limit, and its Pods are gone with their logs');
    expect(found.hint).toContain('restartPolicy: Never');
    expect(explained(job('DeadlineExceeded', 'too late')).hint).toContain('activeDeadlineSeconds');
  });
});
