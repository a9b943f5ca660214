import { expect, test } from 'vitest';
import { setupView } from '../../../cli/view/setup.ts';
import { styleFor } from '../../../cli/view/style.ts';
import type { ImageWay, Machine } from '../../../lib/index.ts';
import { silentSink } from '../../support/sinks.ts';

const style = styleFor(silentSink, {});
const machine: Machine = { kubernetes: { distribution: 'kubeadm' }, runtimes: [], programs: [], systemd: true };
const last = (nodes: number, chosen: ImageWay): string =>
  setupView(
    { machine, nodes, kubeconfig: '/k', profile: '/p', images: { chosen, reason: 'Why.' }, steps: [] },
    style,
  ).at(-1)!;

test('setup on one of several nodes that import says what to do on the others first', () => {
  const imports: ImageWay = { way: 'containerd', socket: '/run/containerd/containerd.sock' };
  const others = 'solpack setup and solpack install ARCHIVE --images-only; then here, solpack install ARCHIVE';
  expect(last(3, imports)).toBe(`next: on each of the other 2 nodes, ${others}`);
  expect(last(2, imports)).toBe(`next: on the other node, ${others}`);
  expect(last(1, imports)).toBe('next: solpack install ARCHIVE');
  const join =
    'solpack join-mirror --served-at https://10.0.0.1:5000 --ca-file /etc/solpack/nodes/ca.pem --username node';
  const chosen: ImageWay = { way: 'shared', address: 'https://10.0.0.1:5000', hostsDir: '/h' };
  const shown = { machine, nodes: 3, kubeconfig: '/k', profile: '/p', images: { chosen, reason: 'Why.' }, steps: [] };
  expect(setupView({ ...shown, join }, style).slice(-3)).toEqual([
    'next: solpack import ARCHIVE; copy /etc/solpack/nodes to each of the other 2 nodes; there and here',
    `  ${join}`,
    '  and then, here alone: solpack install',
  ]);
  expect(last(3, { way: 'served', address: 'https://10.0.0.1:5000' })).toBe('next: solpack install ARCHIVE');
});
