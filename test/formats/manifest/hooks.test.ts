import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { hookOf, isInstalled, stagesOf } from '../../../formats/manifest/hooks.ts';

const object = (name: string, annotations?: unknown, kind = 'ConfigMap'): KubernetesObject => ({
  apiVersion: kind === 'CustomResourceDefinition' ? 'apiextensions.k8s.io/v1' : 'v1',
  kind,
  metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
});
const hook = (name: string, events: string, weight?: unknown): KubernetesObject =>
  object(name, { 'helm.sh/hook': events, ...(weight === undefined ? {} : { 'helm.sh/hook-weight': weight }) });
const names = (objects: readonly KubernetesObject[]): string[][] =>
  stagesOf(objects).map((stage) => stage.map(({ metadata }) => metadata.name));

describe('hookOf', () => {
  test('reads events, weight and deletion as Helm does', () => {
    const annotations = {
      'helm.sh/hook': 'Pre-Install , post-upgrade',
      'helm.sh/hook-weight': '-5',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    };
    expect(hookOf(object('a', annotations))).toEqual({
      events: ['pre-install', 'post-upgrade'],
      weight: -5,
      deletion: ['before-hook-creation', 'hook-succeeded'],
    });
  });

  test.each([
    ['+3', 3],
    [7, 7],
    ['', 0],
    ['first', 0],
    ['1.5', 0],
    ['0x10', 0],
    [null, 0],
    [['1', '2'], 0],
  ])('takes the weight %j as %d', (weight, expected) => {
    expect(hookOf(hook('a', 'pre-install', weight))?.weight).toBe(expected);
  });

  test.each([undefined, null, 'helm.sh/hook', 3, [], {}, { 'helm.sh/resource-policy': 'keep' }])(
    'sees no hook in the annotations %j',
    (annotations) => {
      expect(hookOf(object('a', annotations))).toBeUndefined();
    },
  );

  test.each(['', ' , ', null])('sees a hook of no event in %j', (events) => {
    expect(hookOf(object('a', { 'helm.sh/hook': events }))?.events).not.toContain('pre-install');
  });
});

describe('isInstalled', () => {
  test.each([
    ['pre-install', true],
    ['post-install,post-upgrade', true],
    ['test, pre-install', true],
    ['pre-upgrade', false],
    ['post-upgrade', false],
    ['pre-delete,post-delete', false],
    ['pre-rollback', false],
    ['post-rollback', false],
    ['test', false],
    ['test-success', false],
    ['crd-install', false],
    ['', false],
  ])('says of a hook of %j: %s', (events, expected) => {
    expect(isInstalled(hook('hook', events))).toBe(expected);
  });

  test('says yes of what is no hook', () => {
    expect(isInstalled(object('map'))).toBe(true);
    expect(isInstalled(object('map', { 'helm.sh/hook-weight': '1' }))).toBe(true);
  });
});

describe('stagesOf', () => {
  test('keeps objects without hooks in one stage and in their order', () => {
    const objects = [object('b'), object('a'), object('crd', undefined, 'CustomResourceDefinition')];
    expect(names(objects)).toEqual([['b', 'a', 'crd']]);
    expect(names([])).toEqual([]);
  });

  test('puts hooks before and after the rest by weight, equal weights together in their order', () => {
    const objects = [
      hook('last', 'post-install', 10),
      object('map'),
      hook('second', 'pre-install', 2),
      hook('third', 'pre-install,pre-upgrade', 10),
      hook('first', 'pre-upgrade,pre-install', -3),
      hook('beside-second', 'pre-install', '2'),
      hook('early', 'post-install'),
    ];
    expect(names(objects)).toEqual([['first'], ['second', 'beside-second'], ['third'], ['map'], ['early'], ['last']]);
  });

  test('puts definitions before the hooks that may use them', () => {
    const objects = [
      object('map'),
      object('crd', undefined, 'CustomResourceDefinition'),
      hook('job', 'pre-install'),
      hook('check', 'post-install'),
    ];
    expect(names(objects)).toEqual([['crd'], ['job'], ['map'], ['check']]);
  });

  test('runs a hook for both ends of an installation at its beginning', () => {
    expect(names([object('map'), hook('both', 'post-install,pre-install')])).toEqual([['both'], ['map']]);
  });

  test('leaves hooks of other events where they are', () => {
    expect(names([hook('goodbye', 'pre-delete'), object('map'), hook('probe', 'test')])).toEqual([
      ['goodbye', 'map', 'probe'],
    ]);
  });

  test('finds the same stages in what it made, each object once', () => {
    const events = fc.constantFrom('pre-install', 'post-install', 'pre-install,test', 'pre-delete');
    const one = fc.oneof(
      fc.record({ events, weight: fc.integer({ min: -3, max: 3 }) }),
      fc.constantFrom('ConfigMap', 'CustomResourceDefinition'),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (given) => {
        const objects = given.map((each, at) =>
          typeof each === 'string' ? object(`${at}`, undefined, each) : hook(`${at}`, each.events, each.weight),
        );
        const stages = stagesOf(objects);
        const flat = stages.flat();
        expect(stages.every((stage) => stage.length > 0)).toBe(true);
        expect(flat.length).toBe(objects.length);
        expect(new Set(flat)).toEqual(new Set(objects));
        expect(stagesOf(flat)).toEqual(stages);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
