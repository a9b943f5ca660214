import { describe, expect, test } from 'vitest';
import { condition, told } from './object.ts';

describe('a Job', () => {
  const job = (status: object, spec: object = {}): string => told('batch/v1/Job', { spec, status });

  test('is ready when it has completed, and not before', () => {
    const started = { startTime: '2030-01-01T00:00:00Z' };
    expect(job({})).toBe('waiting: has not started yet');
    expect(job({ ...started, active: 1 })).toBe('waiting: 0 of 1 completion, 1 active');
    expect(job({ ...started, active: 2, succeeded: 3, failed: 1 }, { completions: 5, parallelism: 2 })).toBe(
      'waiting: 3 of 5 completions, 2 active, 1 failed',
    );
    const enough = condition('SuccessCriteriaMet', 'True');
    expect(job({ ...started, succeeded: 1, conditions: [enough] })).toMatch(/^waiting/);
    expect(job({ ...started, conditions: [enough, condition('Complete', 'True')] })).toBe('ready: has completed');
  });

  test.each(['Failed', 'FailureTarget'])('has failed with condition %s', (type) => {
    const message = 'Job has reached the specified backoff limit';
    expect(job({ conditions: [condition(type, 'True', 'BackoffLimitExceeded', message)] })).toBe(
      `failed: has failed: ${message}`,
    );
    expect(job({ conditions: [condition(type, 'False')] })).toMatch(/^waiting/);
  });

  test('that is suspended is ready: its author wants it to stand still', () => {
    expect(job({ conditions: [condition('Suspended', 'True')] }, { suspend: true })).toBe('ready: is suspended');
    expect(job({ conditions: [condition('Failed', 'True')] }, { suspend: true })).toMatch(/^failed/);
  });
});

test('a CronJob is ready at once', () => {
  expect(told('batch/v1/CronJob', { spec: { schedule: '0 0 * * *' } })).toBe('ready: is there');
});

describe('a Pod', () => {
  const pod = (status: object, spec: object = {}): string => told('v1/Pod', { spec, status });
  const notReady = [condition('Ready', 'False', 'ContainersNotReady')];

  test.each([
    ['ready: is ready', { phase: 'Running', conditions: [condition('Ready', 'True')] }],
    ['ready: has completed', { phase: 'Succeeded', conditions: [condition('Ready', 'False', 'PodCompleted')] }],
    ['failed: has failed', { phase: 'Failed' }],
    ['failed: has failed: The node was low on memory.', { phase: 'Failed', message: 'The node was low on memory.' }],
    ['failed: has failed: Evicted', { phase: 'Failed', reason: 'Evicted' }],
    ['waiting: runs, but is not ready yet', { phase: 'Running', conditions: notReady }],
    ['waiting: has not started yet', { phase: 'Pending' }],
    ['waiting: has not started yet', {}],
  ])('%s', (message, status) => {
    expect(pod(status)).toBe(message);
  });

  test('that is a hook of a chart has to end', () => {
    const metadata = { annotations: { 'helm.sh/hook': 'pre-install' } };
    const hook = (status: object): string => told('v1/Pod', { metadata, status });
    expect(hook({ phase: 'Running', conditions: [condition('Ready', 'True')] })).toBe('waiting: runs, and has to end');
    expect(hook({ phase: 'Succeeded' })).toBe('ready: has completed');
  });

  test('that is placed on no node is waited for, with the words of the scheduler', () => {
    const unscheduled = condition('PodScheduled', 'False', 'Unschedulable', '0/1 nodes are available');
    expect(pod({ phase: 'Pending', conditions: [unscheduled] })).toBe(
      'waiting: is not placed on a node: 0/1 nodes are available',
    );
  });

  test('whose container crashes is waited for, since that may heal', () => {
    const containerStatuses = [
      { name: 'a', state: { waiting: { reason: 'CrashLoopBackOff' } } },
      { name: 'b', state: { waiting: { reason: 'CrashLoopBackOff' } } },
    ];
    expect(pod({ phase: 'Running', conditions: notReady, containerStatuses }, { restartPolicy: 'Always' })).toBe(
      'waiting: CrashLoopBackOff',
    );
  });

  test('that restarts nothing has failed when a container has ended badly, though others still run', () => {
    const ended = (exitCode: number) => [{ name: 'a', state: { terminated: { exitCode } } }];
    const status = (exitCode: number) => ({
      phase: 'Running',
      conditions: notReady,
      containerStatuses: ended(exitCode),
    });
    expect(pod(status(2), { restartPolicy: 'Never' })).toBe('failed: container a has ended with exit code 2 for good');
    expect(pod(status(0), { restartPolicy: 'Never' })).toMatch(/^waiting/);
    expect(pod(status(2), { restartPolicy: 'OnFailure' })).toMatch(/^waiting/);
    const own = { restartPolicy: 'Never', containers: [{ name: 'a', restartPolicyRules: [] }] };
    expect(pod(status(2), own)).toMatch(/^waiting/);
    const init = { phase: 'Pending', initContainerStatuses: ended(1) };
    expect(pod(init, { restartPolicy: 'Never' })).toMatch(/^failed: container a has ended/);
    const sidecar = { restartPolicy: 'Never', initContainers: [{ name: 'a', restartPolicy: 'Always' }] };
    expect(pod(init, sidecar)).toMatch(/^waiting/);
  });
});
