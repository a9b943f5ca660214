import { describe, expect, test } from 'vitest';
import { condition, told } from './object.ts';

const progressed = condition('Progressing', 'True', 'NewReplicaSetAvailable');
const available = condition('Available', 'True', 'MinimumReplicasAvailable');
const unavailable = condition('Available', 'False', 'MinimumReplicasUnavailable');

function deployment(status: object, spec: object = { replicas: 3 }): string {
  return told('apps/v1/Deployment', { spec, status: { observedGeneration: 1, ...status } });
}

describe('a Deployment', () => {
  test('is ready when every replica is updated and available, and none is left over', () => {
    const counts = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
    expect(deployment({ ...counts, conditions: [available, progressed] })).toBe('ready: 3 of 3 replicas are available');
    expect(deployment({ ...counts, conditions: [unavailable, progressed] })).toBe('waiting: is not available yet');
  });

  test.each([
    ['waiting: 0 of 3 replicas are updated', {}],
    ['waiting: 1 of 3 replicas are updated', { replicas: 4, updatedReplicas: 1, availableReplicas: 3 }],
    [
      'waiting: 1 replica more than wanted, still to be removed',
      { replicas: 4, updatedReplicas: 3, availableReplicas: 4 },
    ],
    [
      'waiting: 1 of 4 replicas is not available yet, so that an old one is kept',
      { replicas: 4, updatedReplicas: 3, availableReplicas: 3, unavailableReplicas: 1 },
    ],
    ['waiting: 2 of 3 replicas are available', { replicas: 3, updatedReplicas: 3, availableReplicas: 2 }],
  ])('%s', (message, status) => {
    expect(deployment(status)).toBe(message);
  });

  test('has one replica where it does not say how many', () => {
    expect(deployment({}, {})).toBe('waiting: 0 of 1 replica is updated');
  });

  test('of no replicas is ready once its controller has seen it', () => {
    expect(deployment({}, { replicas: 0 })).toBe('ready: 0 of 0 replicas are available');
    expect(told('apps/v1/Deployment', { spec: { replicas: 0 } })).toBe(
      'waiting: its controller has not processed it yet',
    );
  });

  test('is waited for while its controller knows an older generation', () => {
    const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    const parts = { spec: { replicas: 1 }, status: { ...status, conditions: [available] } };
    expect(told('apps/v1/Deployment', { ...parts, metadata: { generation: 2 } })).toBe(
      'waiting: its controller has not processed its newest version yet',
    );
    expect(told('apps/v1/Deployment', { ...parts, metadata: { generation: 1 } })).toMatch(/^ready/);
  });

  test('fails when its progress deadline is over, unless every replica is there after all', () => {
    const late = condition('Progressing', 'False', 'ProgressDeadlineExceeded');
    const counts = { replicas: 3, updatedReplicas: 3 };
    expect(deployment({ ...counts, availableReplicas: 1, conditions: [unavailable, late] })).toBe(
      'failed: 1 of 3 replicas are available, and its progress deadline has passed',
    );
    expect(deployment({ ...counts, availableReplicas: 3, conditions: [available, late] })).toMatch(/^ready/);
  });

  test('tells why no Pod can be created', () => {
    const refused = condition('ReplicaFailure', 'True', 'FailedCreate', 'pods "web-1" is forbidden: exceeded quota: q');
    expect(deployment({ conditions: [refused] })).toBe(
      'waiting: 0 of 3 replicas are updated: pods "web-1" is forbidden: exceeded quota: q',
    );
  });

  test('that is paused is ready: its author wants it to stay as it is', () => {
    expect(deployment({}, { replicas: 3, paused: true })).toBe('ready: is paused');
  });
});

describe('a StatefulSet', () => {
  const full = { replicas: 3, readyReplicas: 3, availableReplicas: 3, updatedReplicas: 3 };
  const same = { currentRevision: 'a', updateRevision: 'a' };
  const set = (status: object, updateStrategy: object = { rollingUpdate: { partition: 0 } }): string =>
    told('apps/v1/StatefulSet', {
      spec: { replicas: 3, updateStrategy },
      status: { observedGeneration: 1, ...status },
    });

  test('is ready when every replica is available and of the newest revision', () => {
    expect(set({ ...full, ...same })).toBe('ready: 3 of 3 replicas are available');
    expect(set({ ...full, ...same, updatedReplicas: 1 })).toBe('waiting: 1 of 3 replicas are updated');
    expect(set({ ...full, currentRevision: 'a', updateRevision: 'b' })).toBe('waiting: its rollout is being concluded');
    expect(set({ ...full, ...same, replicas: 4 })).toContain('1 replica more than wanted');
  });

  test('needs its replicas available, which by minReadySeconds is later than ready', () => {
    expect(set({ ...full, ...same, availableReplicas: 2 })).toBe('waiting: 2 of 3 replicas are available');
    const { availableReplicas: _, ...older } = full;
    expect(set({ ...older, ...same, readyReplicas: 1 })).toBe('waiting: 1 of 3 replicas are available');
  });

  test('with a partition has to update the replicas from there on', () => {
    const partition = (number: number) => ({ rollingUpdate: { partition: number } });
    const status = { ...full, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' };
    expect(set(status, partition(2))).toMatch(/^ready/);
    expect(set(status, partition(1))).toBe('waiting: 1 of 2 replicas are updated');
    expect(set({ ...status, updatedReplicas: 0 }, partition(9))).toMatch(/^ready/);
  });

  test('that is updated by hand needs its replicas, and not their revision', () => {
    const status = { ...full, updatedReplicas: 0, currentRevision: 'a', updateRevision: 'b' };
    expect(set(status, { type: 'OnDelete' })).toMatch(/^ready/);
    expect(set({ ...status, availableReplicas: 0 }, { type: 'OnDelete' })).toMatch(/^waiting/);
  });

  test('is waited for until its controller has seen it', () => {
    expect(told('apps/v1/StatefulSet', { spec: { replicas: 0 }, status: { replicas: 0 } })).toMatch(/^waiting/);
    expect(told('apps/v1/StatefulSet', { spec: { replicas: 0 }, status: { observedGeneration: 1 } })).toMatch(/^ready/);
  });
});

describe('a DaemonSet', () => {
  const set = (status: object, spec: object = {}): string =>
    told('apps/v1/DaemonSet', { spec, status: { observedGeneration: 1, ...status } });

  test('is ready when it is updated and available on every node that should run it', () => {
    const full = { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 };
    expect(set(full)).toBe('ready: 2 of 2 Pods are available');
    expect(set({ ...full, updatedNumberScheduled: 1 })).toBe('waiting: 1 of 2 Pods are updated');
    expect(set({ ...full, numberAvailable: 1 })).toBe('waiting: 1 of 2 Pods are available');
    expect(set({ ...full, updatedNumberScheduled: 0 }, { updateStrategy: { type: 'OnDelete' } })).toMatch(/^ready/);
  });

  test('that no node should run is ready, and one that was not counted is not', () => {
    expect(set({ desiredNumberScheduled: 0 })).toBe('ready: no node matches it');
    expect(set({})).toBe('waiting: its controller has not processed it yet');
    expect(told('apps/v1/DaemonSet', { status: { desiredNumberScheduled: 0 } })).toMatch(/^waiting/);
  });
});

test.each(['apps/v1/ReplicaSet', 'v1/ReplicationController'])('%s needs every replica available', (type) => {
  const set = (status: object): string =>
    told(type, { spec: { replicas: 2 }, status: { observedGeneration: 1, ...status } });
  expect(set({ replicas: 2, availableReplicas: 2 })).toBe('ready: 2 of 2 replicas are available');
  expect(set({ replicas: 2, availableReplicas: 1 })).toBe('waiting: 1 of 2 replicas are available');
  expect(set({ replicas: 3, availableReplicas: 3 })).toContain('1 replica more than wanted');
  expect(set({ conditions: [condition('ReplicaFailure', 'True', 'FailedCreate', 'no room')] })).toBe(
    'waiting: 0 of 2 replicas are available: no room',
  );
});
