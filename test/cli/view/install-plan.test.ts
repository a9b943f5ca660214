import { expect, test } from 'vitest';
import { installPlanView } from '../../../cli/view/install-plan.ts';
import { styleFor } from '../../../cli/view/style.ts';
import type { InstallPlan, PlannedAction } from '../../../formats/solution/install-plan.ts';
import { silentSink } from '../../support/sinks.ts';

const style = styleFor(silentSink, {});
const none: InstallPlan = {
  configuration: 'edge',
  choices: [],
  steps: [],
  bytes: 0,
  unchanged: 0,
  room: [],
  seal: '',
};
const step = (kind: string, action: PlannedAction['action'], subject: string, more: object = {}): PlannedAction => ({
  ...{ kind, action, subject, changes: [], step: '' },
  ...more,
});
const apply = (action: PlannedAction['action'], subject: string, more: object = {}): PlannedAction =>
  step('apply', action, subject, more);

test('a plan is reported in order, what it comes to last, in lines that a terminal has room for', () => {
  const plan: InstallPlan = {
    ...none,
    choices: [{ name: 'shop', version: '1.1.0', reason: 'the highest version', passedOver: ['1.0.0'] }],
    steps: [
      step('verify', 'none', '/srv/shop.iso'),
      ...[1, 2, 3, 4].map((one) => step('push-images', 'send', `r/web@sha256:${one}`, { bytes: 1024 })),
      step('push-images', 'tag', 'r/web:1'),
      apply('create', 'ConfigMap/shop/a', { changes: [{ path: 'x', to: 1 }] }),
      apply('change', 'Deployment/shop/web', {
        restarts: 2,
        changes: [
          { path: 'spec.replicas', from: 1, to: 2 },
          { path: 'spec.template.metadata.annotations.something', from: 'a'.repeat(60), to: 'b'.repeat(60) },
          { path: 'data.password' },
          { path: 'spec.paused', to: 'a\u001b[2J' },
        ],
      }),
      apply('run', 'Job/shop/migrate', { event: 'pre-upgrade' }),
      apply('remove', 'ConfigMap/shop/old'),
      apply('keep', 'Namespace/shop', { reason: 'its removal would delete data: PersistentVolumeClaim data' }),
    ],
    bytes: 4096,
    unchanged: 7,
    room: [
      { place: '/etc/certs.d', needed: 10, free: 5 },
      { place: 'http://r', needed: 4096 },
    ],
  };
  const lines = installPlanView(plan, style);
  expect(lines).toEqual([
    'plan for edge: nothing was changed',
    'chosen shop 1.1.0',
    '    the highest version',
    '    passed over: 1.0.0',
    'push-images',
    '  + 4 contents, 4.0 KiB',
    '  + r/web:1',
    'apply',
    '  + ConfigMap/shop/a',
    '  ~ Deployment/shop/web  restarts 2 Pods',
    '      spec.replicas: 1 -> 2',
    '      spec.template.metadata.annotations.something:',
    `        "${'a'.repeat(29)}… -> "${'b'.repeat(29)}…`,
    '      data.password',
    '      spec.paused: (none) -> "a\\u001b[2J"',
    '  > Job/shop/migrate  hook of pre-upgrade',
    '  - ConfigMap/shop/old',
    '  = Namespace/shop  its removal would delete data: PersistentVolumeClaim data',
    'room /etc/certs.d: 10 B needed, 5 B free',
    'room http://r: 4.0 KiB needed, the free space is unknown',
    '1 to create, 1 to change, 1 to remove, 1 to keep, 1 hook to run, 1 tag to set,',
    '4.0 KiB to send, 2 Pods to restart, 7 unchanged',
  ]);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('a plan that has nothing to do says so', () => {
  const steps = [step('verify', 'none', '/srv/shop.iso'), step('apply', 'none', 'admin.conf')];
  expect(installPlanView({ ...none, steps, unchanged: 3 }, style)).toEqual([
    'plan for edge: nothing was changed',
    'nothing to do, 3 unchanged',
  ]);
});
