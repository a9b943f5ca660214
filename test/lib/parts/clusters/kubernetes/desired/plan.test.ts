import { describe, expect, test } from 'vitest';
import { foundationOf } from '../../../../../../lib/parts/clusters/kubernetes/desired/plan.ts';
import { component, definition, map, planned, solution, stated } from '../support.ts';

const widget = (version = 'v1') => stated(`example.com/${version}`, 'Widget', 'n/w');
const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message), hint: expect.any(String) });

describe('kinds', () => {
  test('may be defined by the Solution itself, or by an earlier one of the request', () => {
    const definer = solution('a', component('crd', widget(), definition('Widget')));
    const user = solution('b', component('use', stated('example.com/v1', 'Widget', 'n/v')));
    expect([...planned(definer, user).objects.keys()]).toContain('example.com/Widget n/v');
    expect(() => planned(user, definer)).toThrow(refusal('kind-unknown', /Widget n\/v of b, component use/));
  });

  test('are known in the versions that are served only', () => {
    const versions = definition('Widget', ['v1', 'v2-']);
    expect(() => planned(solution('a', component('c', versions, widget('v2'))))).toThrow(
      refusal('kind-unknown', /Widget \(example\.com\/v2\)/),
    );
  });

  test('that stand outside of namespaces by their definition lose their namespace', () => {
    const plan = planned(solution('a', component('c', definition('Widget', ['v1'], 'Cluster'), widget())));
    expect(plan.objects.has('example.com/Widget /w')).toBe(true);
  });

  test('that nobody knows are reported with all their objects', () => {
    const unknown = component('c', widget(), map('n/a'), stated('apps/v9', 'Deployment', 'n/d'));
    expect(() => planned(solution('a', unknown))).toThrow(
      refusal(
        'kind-unknown',
        /Widget \(example\.com\/v1\), Deployment \(apps\/v9\): Widget n\/w of a.*Deployment n\/d of a/,
      ),
    );
  });

  test.each([
    ['no spec', {}],
    ['versions that are no list', { spec: { group: 'example.com', names: { kind: 'Widget' }, versions: 'v1' } }],
  ])('are not known by a definition with %s', (_, more) => {
    const broken = stated('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com', more);
    expect(() => planned(solution('a', component('c', broken, widget())))).toThrow(refusal('kind-unknown', /Widget/));
  });
});

describe('an object that is stated twice', () => {
  test('with the same content is one, of the first component, whatever the order of its fields', () => {
    const again = {
      data: { value: '1' },
      metadata: { namespace: 'default', name: 'a' },
      kind: 'ConfigMap',
      apiVersion: 'v1',
    };
    const plan = planned(solution('a', component('one', map('a')), component('two', again)));
    expect(plan.solutions[0]?.components.map(({ objects }) => objects.length)).toEqual([1, 0]);
  });

  test('with different content is refused, with both places', () => {
    expect(() => planned(solution('a', component('one', map('n/a')), component('two', map('n/a', '2'))))).toThrow(
      refusal('object-conflict', /in component one of a and in component two of a/),
    );
    expect(() => planned(solution('a', component('one', map('n/a'), map('n/a', '2'))))).toThrow(
      refusal('object-conflict', /twice in component one of a/),
    );
  });

  test('in two versions of its kind is stated with different content', () => {
    const scaler = (version: string) => stated(`autoscaling/${version}`, 'HorizontalPodAutoscaler', 'n/a');
    expect(() => planned(solution('a', component('c', scaler('v1'), scaler('v2'))))).toThrow(
      refusal('object-conflict', /different content/),
    );
  });

  test('by two Solutions belongs to the first, if both mean the same', () => {
    const a = solution('a', component('c', map('n/a')));
    const plan = planned(a, solution('b', component('c', map('n/a'), map('n/b'))));
    expect(plan.objects.get('/ConfigMap n/a')?.solution).toBe('a');
    expect(plan.solutions[1]?.components[0]?.objects.map(({ key }) => key)).toEqual(['/ConfigMap n/b']);
    expect(() => planned(a, solution('b', component('c', map('n/a', '2'))))).toThrow(
      refusal('object-conflict', /component c of a and in component c of b/),
    );
  });
});

test('namespaces and definitions of all components come before everything else', () => {
  const space = stated('v1', 'Namespace', 'n');
  const plan = planned(solution('a', component('one', map('n/a'), definition('Widget')), component('two', space)));
  expect(foundationOf(plan.solutions[0]!.components).map(({ name }) => name.kind)).toEqual([
    'Namespace',
    'CustomResourceDefinition',
  ]);
});
