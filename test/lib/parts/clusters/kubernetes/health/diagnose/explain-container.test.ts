import { describe, expect, test } from 'vitest';
import { condition, live } from '../readiness/object.ts';
import { event, explained, explainedBy, podIn, podOf } from './evidence.ts';

const waits = (reason: string, message = '') => podIn({ waiting: { reason, message } });
const ended = (exitCode: number, more: object = {}) => ({ terminated: { exitCode, reason: 'Error', ...more } });
const image = 'registry.example.com/app:1';
const rpc = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": `;

describe('an image that cannot be pulled', () => {
  test.each([
    [
      'the registry does not have it',
      'ImagePullBackOff',
      `Back-off pulling image "${image}": ErrImagePull: rpc error: code = NotFound desc = ${rpc}${image}: not found`,
      'cannot be pulled: not found',
      'list the image in [[images]]',
    ],
    [
      'the registry does not run',
      'ErrImagePull',
      `${rpc}failed to do request: Head "http://127.0.0.1:5000/v2/app/manifests/1": dial tcp 127.0.0.1:5000: connect: connection refused`,
      'cannot be pulled: Head "http://127.0.0.1:5000": dial tcp 127.0.0.1:5000: connect: connection refused',
      'solpack serve',
    ],
    [
      'containerd does not know the mirror',
      'ErrImagePull',
      `${rpc}failed to do request: Head "https://registry.example.com/v2/app/manifests/1": dial tcp: lookup registry.example.com: no such host`,
      'lookup registry.example.com: no such host',
      '--hosts-dir',
    ],
    [
      'the registry speaks http',
      'ErrImagePull',
      `${rpc}http: server gave HTTP response to HTTPS client`,
      'HTTP',
      'http or https',
    ],
    [
      'the registry wants credentials',
      'ErrImagePull',
      `${rpc}pull access denied: authorization failed`,
      'denied',
      'imagePullSecrets',
    ],
    [
      'the architecture is absent',
      'ErrImagePull',
      'no match for platform in manifest: not found',
      'platform',
      'architecture',
    ],
    [
      'nobody says why',
      'ImagePullBackOff',
      `Back-off pulling image "${image}"`,
      'cannot be pulled: ImagePullBackOff',
      '--hosts-dir',
    ],
  ])('%s', (_, reason, message, cause, hint) => {
    const found = explainedBy(waits(reason, message));
    expect(found.cause).toContain(`image ${image} of container app of Pod web-1 `);
    expect(found.cause).toContain(cause);
    expect(found.hint).toContain(hint);
  });

  test('because it may not be pulled, or cannot be named so, says that', () => {
    expect(explainedBy(waits('ErrImageNeverPull')).cause).toBe(
      `image ${image} of container app of Pod web-1 is not on the node, and its imagePullPolicy is Never`,
    );
    const message =
      'Failed to apply default image tag "A": invalid reference format: repository name must be lowercase';
    expect(explainedBy(waits('InvalidImageName', message)).cause).toBe(
      `container app of Pod web-1 names an invalid image: ${image}: invalid reference format: repository name must be lowercase`,
    );
  });
});

describe('a container that does not start', () => {
  test.each([
    ['secret "db" not found', 'create Secret db in namespace shop'],
    ['configmap "cfg" not found', 'create ConfigMap cfg in namespace shop'],
    ["couldn't find key p in ConfigMap shop/cfg", 'correct the env'],
  ])('because of its configuration: %s', (message, hint) => {
    const found = explainedBy(waits('CreateContainerConfigError', message));
    expect(found.cause).toBe(`container app of Pod web-1 cannot be configured: ${message}`);
    expect(found.hint).toContain(hint);
  });

  const oci =
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ';
  const start = 'unable to start container process: exec: "/nope": stat /nope: no such file or directory: unknown';

  test.each([
    ['while it waits', waits('RunContainerError', oci + start)],
    [
      'between two tries',
      podIn(
        { waiting: { reason: 'CrashLoopBackOff' } },
        { lastState: ended(128, { reason: 'StartError', message: oci + start }) },
      ),
    ],
  ])('because its command is not there, %s', (_, pod) => {
    const found = explainedBy(pod);
    expect(found.cause).toBe(
      'container app of Pod web-1 cannot be started: exec: "/nope": stat /nope: no such file or directory',
    );
    expect(found.hint).toContain('command');
    expect(found.log).toBeUndefined();
  });

  test('because it is for another processor', () => {
    expect(explainedBy(waits('RunContainerError', 'exec /app: exec format error')).hint).toContain('architecture');
  });
});

describe('a container that ends', () => {
  test('is reported with its exit code, and with the log of the run that ended', () => {
    const found = explainedBy(
      podIn({ waiting: { reason: 'CrashLoopBackOff' } }, { restartCount: 3, lastState: ended(3) }),
    );
    expect(found.cause).toBe('container app of Pod web-1 ended with exit code 3 (3 restarts)');
    expect(found.hint).toContain('"kubectl -n shop logs web-1 -c app --previous"');
    expect(found.log).toEqual({ namespace: 'shop', pod: 'web-1', container: 'app', previous: true });
    expect(explainedBy(podIn(ended(3), { restartCount: 1, lastState: ended(4) }))).toMatchObject({
      cause: 'container app of Pod web-1 ended with exit code 3 (1 restart)',
      log: { previous: false },
    });
    expect(explainedBy(podIn({ running: {} }, { restartCount: 1, lastState: ended(4) }))).toMatchObject({
      cause: 'container app of Pod web-1 ended with exit code 4 (1 restart)',
      log: { previous: true },
    });
  });

  test.each([
    [137, 'exit code 137 (SIGKILL)', 'correct what it complains about'],
    [143, 'exit code 143 (SIGTERM)', 'correct what it complains about'],
    [127, 'exit code 127', 'not found or not executable'],
    [0, 'exit code 0', 'make it a Job'],
  ])('with %i is reported in words', (code, words, hint) => {
    const found = explainedBy(podIn(ended(code), { restartCount: 1 }));
    expect(found.cause).toContain(`ended with ${words} (1 restart)`);
    expect(found.hint).toContain(hint);
  });

  test('for want of memory is reported with its limit', () => {
    const oom = ended(137, { reason: 'OOMKilled' });
    const spec = { resources: { limits: { memory: '64Mi' } } };
    expect(explainedBy(podIn(oom, { restartCount: 2 }, spec)).cause).toBe(
      'container app of Pod web-1 was killed (OOMKilled): it needs more memory than its limit of 64Mi (2 restarts)',
    );
    expect(explainedBy(podIn(oom)).cause).toContain('memory ran out');
  });

  test('with a message of its own needs no log', () => {
    const found = explainedBy(podIn(ended(1, { message: 'no such table\n' })));
    expect(found.cause).toBe('container app of Pod web-1 ended with exit code 1; it said: no such table');
    expect(found.log).toBeUndefined();
  });

  test('once and well is no cause', () => {
    expect(explainedBy(podIn(ended(0, { reason: 'Completed' }))).cause).toMatch(/^0 of 1 replica is available/);
  });

  test('before the others start is an init container, and comes first', () => {
    const pod = podOf({
      spec: { nodeName: 'node1', initContainers: [{ name: 'migrate' }], containers: [{ name: 'app' }] },
      status: {
        initContainerStatuses: [{ name: 'migrate', state: ended(1), restartCount: 4 }],
        containerStatuses: [{ name: 'app', state: { waiting: { reason: 'PodInitializing' } } }],
      },
    });
    expect(explainedBy(pod).cause).toBe('init container migrate of Pod web-1 ended with exit code 1 (4 restarts)');
  });

  test('in a Pod that the user asked for is not said to be of that Pod', () => {
    const pod = podIn(ended(2));
    expect(explained(pod, { pods: [pod] }).cause).toBe('container app ended with exit code 2');
  });
});

describe('a container whose probes fail', () => {
  const unhealthy = (probe: string, second = 5) =>
    event(podIn({}), 'Unhealthy', `${probe} probe failed: HTTP probe failed with statuscode: 503`, {
      container: 'app',
      second,
    });
  const running = { running: { startedAt: '2030-01-01T00:00:00Z' } };

  test.each([
    ['readiness', true, 'Readiness'],
    ['startup', false, 'Startup'],
  ])('is reported by its %s probe', (probe, started, word) => {
    const found = explainedBy(podIn(running, { started }), [unhealthy(word)]);
    expect(found.cause).toBe(
      `container app of Pod web-1 runs, but its ${probe} probe fails: HTTP probe failed with statuscode: 503`,
    );
    expect(found.hint).toContain('"kubectl -n shop logs web-1 -c app"');
  });

  test('is killed for its liveness probe again and again', () => {
    const killing = event(podIn({}), 'Killing', 'Container app failed liveness probe, will be restarted', {
      container: 'app',
      type: 'Normal',
    });
    const pod = podIn({ waiting: { reason: 'CrashLoopBackOff' } }, { restartCount: 4, lastState: ended(137) });
    expect(explainedBy(pod, [unhealthy('Liveness'), killing]).cause).toBe(
      'container app of Pod web-1 is killed again and again (4 restarts) because its liveness probe fails: HTTP probe failed with statuscode: 503',
    );
  });

  test('and that has ended since is reported by its end', () => {
    const lastState = ended(3, { finishedAt: '2030-01-01T00:00:10Z' });
    const pod = podIn(running, { started: true, restartCount: 1, lastState });
    expect(explainedBy(pod, [unhealthy('Readiness', 5)]).cause).toContain('ended with exit code 3');
    expect(explainedBy(pod, [unhealthy('Readiness', 20)]).cause).toContain('readiness probe fails');
  });

  test('is not blamed for the probe of another container', () => {
    const other = event(podIn({}), 'Unhealthy', 'Readiness probe failed: no', { container: 'sidecar' });
    expect(explainedBy(podIn(running, { started: true }), [other]).cause).toMatch(/^0 of 1 replica is available/);
  });
});

test('a container without a state, or with one of no sense, is no cause and no error', () => {
  for (const containerStatuses of [[{}], [null], ['x'], [{ name: 7, state: 'x' }], { a: 1 }]) {
    const pod = podOf({ spec: { nodeName: 'n' }, status: { phase: 'Running', containerStatuses } });
    expect(explainedBy(pod).cause).toBe('0 of 1 replica is available; Pod web-1 runs, but is not ready yet');
  }
  const condemned = live('v1/Pod', { status: { conditions: [condition('Ready', 'False')] } });
  expect(explained(condemned, { pods: [condemned] }).cause).not.toBe('');
});
