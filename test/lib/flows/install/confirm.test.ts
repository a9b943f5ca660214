import { expect, test } from 'vitest';
import type { InstallPlan, PlannedAction } from '../../../../formats/solution/install-plan.ts';
import { requireSamePlan } from '../../../../lib/flows/install/confirm.ts';

const action = (subject: string, action: PlannedAction['action']): PlannedAction => {
  return { kind: 'apply', subject, action, changes: [], step: `sha256:${'0'.repeat(64)}` };
};
const plan: InstallPlan = {
  configuration: 'default',
  choices: [{ name: 'shop', version: '1.0.0', reason: 'wanted', passedOver: [] }],
  steps: [action('ConfigMap/shop/a', 'create'), action('ClusterRoleBinding/evil', 'create')],
  bytes: 10,
  unchanged: 0,
  room: [{ place: '/', needed: 1, free: 2 }],
  rights: { subjects: [], needed: [] },
  seal: 'salt:digest',
};

test('the same plan is confirmed, however much room is free by now', () => {
  requireSamePlan('plan.json', plan, { ...plan, room: [] });
});

test.each<[string, Partial<InstallPlan>, RegExp]>([
  [
    'a step was removed',
    { steps: plan.steps.slice(0, 1) },
    /ClusterRoleBinding\/evil: none was planned, and now it would be create/,
  ],
  [
    'a step is said to do less',
    { steps: [plan.steps[0]!, action('ClusterRoleBinding/evil', 'none')] },
    /none was planned/,
  ],
  [
    'a version is another',
    { choices: [{ ...plan.choices[0]!, version: '0.9.0' }] },
    /shop was planned as 0\.9\.0, and is now 1\.0\.0/,
  ],
  ['fewer bytes are said to be sent', { bytes: 1 }, /the plan was edited/],
  ['rights were taken out', { rights: undefined }, /the plan was edited/],
])('a plan in which %s is not confirmed, though its seal was kept', (_, change, reason) => {
  expect(() => requireSamePlan('plan.json', { ...plan, ...change }, plan)).toThrow(reason);
});
