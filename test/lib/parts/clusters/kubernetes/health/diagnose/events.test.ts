import { expect, test } from 'vitest';
import {
  inOrder,
  timeOf,
  warningsOf,
} from '../../../../../../../lib/parts/clusters/kubernetes/health/diagnose/events.ts';
import { plainly } from '../../../../../../../lib/parts/clusters/kubernetes/health/diagnose/plain-words.ts';
import { live } from '../readiness/object.ts';
import { event } from './evidence.ts';

const pod = live('v1/Pod');

test('the newest three warnings are reported, the newest last', () => {
  const events = [3, 1, 4, 2].map((second) => event(pod, `R${second}`, 'm', { second }));
  expect(warningsOf(inOrder(events))).toEqual(['R2: m', 'R3: m', 'R4: m']);
  expect(warningsOf([event(pod, 'Pulled', 'm', { type: 'Normal' })])).toEqual([]);
});

test('times of both generations of events are in one order', () => {
  const old = { lastTimestamp: null, firstTimestamp: null };
  const scheduler = event(pod, 'FailedScheduling', 'm', { ...old, eventTime: '2030-01-01T00:00:02.500000Z' });
  const series = { ...scheduler, series: { count: 4, lastObservedTime: '2030-01-01T00:00:09.000000Z' } };
  const order = inOrder([series, scheduler, event(pod, 'Failed', 'm', { second: 3 })]);
  expect(order.map((one) => timeOf(one) % 60_000)).toEqual([2_500, 3_000, 9_000]);
  expect(warningsOf([series])).toEqual(['FailedScheduling: m (x4)']);
  expect(timeOf(live('v1/Event', { metadata: { creationTimestamp: 'nonsense' } }))).toBe(0);
});

test('warnings that differ by chance alone are one, and counted', () => {
  const quota = (name: string, count: number, second: number) =>
    event(pod, 'FailedCreate', `Error creating: pods "web-6d9f8c7b5-${name}" is forbidden: no`, { count, second });
  const combined = event(
    pod,
    'FailedCreate',
    '(combined from similar events): Error creating: pods "web-6d9f8c7b5-x7c2w" is forbidden: no',
    { count: 5, second: 9 },
  );
  expect(warningsOf([quota('abcde', 1, 1), quota('b2c4d', 1, 2), quota('z9xwv', 1, 3), combined])).toEqual([
    'FailedCreate: pods "web-6d9f8c7b5-abcde" is forbidden: no',
    'FailedCreate: pods "web-6d9f8c7b5-x7c2w" is forbidden: no (x7)',
  ]);
  const backoff = (uid: string) =>
    event(pod, 'BackOff', `Back-off restarting failed container a in pod web_shop(${uid})`);
  const uids = ['84afa7b5-7e8f-42fa-99cb-3b57302222dd', '094d53bf-2186-4652-bcc8-6c13b1eb6db7'];
  expect(warningsOf(uids.map(backoff))).toEqual(['BackOff: Back-off restarting failed container a in pod web (x2)']);
  const dial = (port: number) => event(pod, 'Failed', `read udp 10.0.0.1:${port}->10.0.0.2:53: i/o timeout`);
  expect(warningsOf([dial(37306), dial(37041)])).toHaveLength(1);
});

test('warnings that repeat a reason alone, or are about the kubelet, give way to others', () => {
  const bare = event(pod, 'Failed', 'Error: ErrImagePull');
  const full = event(pod, 'Failed', 'Failed to pull image "a": rpc error: code = NotFound desc = a: not found');
  const kubelet = event(pod, 'MissingClusterDNS', 'kubelet does not have ClusterDNS IP configured');
  expect(warningsOf([full, bare, kubelet])).toEqual(['Failed: Failed to pull image "a": not found']);
  expect(warningsOf([bare])).toEqual(['Failed: ErrImagePull']);
});

test('that a Pod found no node is not told any longer once it did', () => {
  const other = live('v1/Pod', { metadata: { uid: 'another' } });
  const scheduled = event(pod, 'Scheduled', 'm', { type: 'Normal' });
  const warnings = [event(pod, 'FailedScheduling', 'late'), event(other, 'FailedScheduling', 'never')];
  expect(warningsOf([...warnings, scheduled])).toEqual(['FailedScheduling: never']);
});

test('a warning is one line of at most 200 characters, whatever it holds', () => {
  const hostile = event(pod, 'Failed', `\u001b[2Ja\nb\u202e${'x'.repeat(500)}`, { count: 12 });
  const [line] = warningsOf([hostile]);
  expect(line).toMatch(/^Failed: a b x+… \(x12\)$/);
  expect(line).toHaveLength(200);
  expect(warningsOf([{ ...live('v1/Event'), type: 'Warning', count: 'many', message: 7 }])).toEqual(['Unknown:']);
});

test.each([
  ['rpc error: code = Unknown desc = failed to pull and unpack image "a": no space left', 'no space left'],
  ['Back-off pulling image "a": ErrImagePull: boom', 'boom'],
  ['Failed to pull image "a": failed to resolve reference "a": a: not found', 'Failed to pull image "a": not found'],
  ['Error: secret "db" not found', 'secret "db" not found'],
  ['Error creating: pods "a" is forbidden', 'pods "a" is forbidden'],
  ['ordinary words: with a colon', 'ordinary words: with a colon'],
  [`a@sha256:${'0123456789abcdef'.repeat(4)}: not found`, 'a@sha256:0123456789ab…: not found'],
  ['0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes', '0/1 nodes are available: 1 Insufficient cpu'],
  ['', ''],
])('%s is reported as: %s', (message, plain) => {
  expect(plainly(message)).toBe(plain);
});
