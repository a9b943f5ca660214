import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { asInstalled, hookOf, hooksAt, isTestAlone, splitHooks, takesPart } from '../../../formats/manifest/hooks.ts';

const object = (name: string, annotations?: unknown, kind = 'ConfigMap'): KubernetesObject => ({
  apiVersion: kind === 'CustomResourceDefinition' ? 'apiextensions.k8s.io/v1' : 'v1',
  kind,
  metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
});
const hook = (name: string, events: string, weight?: unknown): KubernetesObject =>
  object(name, { 'helm.sh/hook': events, ...(weight === undefined ? {} : { 'helm.sh/hook-weight': weight }) });
const names = (objects: readonly KubernetesObject[]): string[] => objects.map(({ metadata }) => metadata.name);

describe('hookOf', () => {
  test('reads events, weight, deletion and output as Helm does', () => {
    const annotations = {
      'helm.sh/hook': 'Pre-Install , post-upgrade',
      'helm.sh/hook-weight': '-5',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      'helm.sh/hook-output-log-policy': 'Hook-Failed',
    };
    expect(hookOf(object('a', annotations))).toEqual({
      events: ['pre-install', 'post-upgrade'],
      weight: -5,
      deletion: ['before-hook-creation', 'hook-succeeded'],
      output: ['hook-failed'],
    });
  });

  test('is deleted before it is made again where it does not say when', () => {
    expect(hookOf(hook('a', 'pre-install'))?.deletion).toEqual(['before-hook-creation']);
    expect(hookOf(object('a', { 'helm.sh/hook': 'test', 'helm.sh/hook-delete-policy': ' , ' }))?.deletion).toEqual([
      'before-hook-creation',
    ]);
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

describe('takesPart', () => {
  test.each([
    ['pre-install', true],
    ['post-install,post-upgrade', true],
    ['test, pre-install', true],
    ['pre-upgrade', true],
    ['pre-delete,post-delete', true],
    ['post-upgrade,post-rollback', true],
    ['test', true],
    ['test-success', true],
    ['pre-rollback', true],
    ['post-rollback', true],
    ['test-failure', false],
    ['crd-install', false],
    ['', false],
  ])('says of a hook of %j: %s', (events, expected) => {
    expect(takesPart(hook('hook', events))).toBe(expected);
  });

  test('says yes of what is no hook', () => {
    expect(takesPart(object('map'))).toBe(true);
    expect(takesPart(object('map', { 'helm.sh/hook-weight': '1' }))).toBe(true);
  });
});

test.each([
  ['test', true],
  ['test-success,pre-rollback', false],
  ['test-success,crd-install', true],
  ['test,post-install', false],
  ['pre-delete', false],
])('a hook of %j is for tests alone: %s', (events, expected) => {
  expect(isTestAlone(hook('hook', events))).toBe(expected);
  expect(isTestAlone(object('map'))).toBe(false);
});

test('hooks of an event go by weight, equal weights in their order', () => {
  const hooks = [
    hook('second', 'pre-install', 2),
    hook('other', 'post-install', -7),
    hook('first', 'pre-upgrade,pre-install', -3),
    hook('beside-second', 'pre-install', '2'),
  ];
  expect(names(hooksAt('pre-install', hooks))).toEqual(['first', 'second', 'beside-second']);
});

describe('asInstalled', () => {
  test('keeps objects without hooks in their order', () => {
    const objects = [object('b'), object('a'), object('crd', undefined, 'CustomResourceDefinition')];
    expect(names(asInstalled(objects))).toEqual(['b', 'a', 'crd']);
  });

  test('puts definitions before the hooks that may use them, and hooks around the rest, each once', () => {
    const objects = [
      hook('last', 'post-install', 10),
      object('map'),
      object('crd', undefined, 'CustomResourceDefinition'),
      hook('job', 'pre-install'),
      hook('both', 'post-install,pre-install', 1),
      hook('check', 'post-install'),
    ];
    expect(names(asInstalled(objects))).toEqual(['crd', 'job', 'both', 'map', 'check', 'last']);
  });

  test('leaves out hooks of other events, but no object of which nobody knows when it would run', () => {
    const objects = [hook('goodbye', 'pre-delete'), object('map'), hook('probe', 'test'), hook('old', 'crd-install')];
    expect(names(asInstalled(objects))).toEqual(['map', 'old']);
  });
});

test('each object is a hook or none, and is installed at most once', () => {
  const events = fc.constantFrom('pre-install', 'post-install,pre-install', 'pre-install,test', 'pre-delete', 'x');
  const one = fc.oneof(
    fc.record({ events, weight: fc.integer({ min: -3, max: 3 }) }),
    fc.constantFrom('ConfigMap', 'CustomResourceDefinition'),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (given) => {
      const all = given.map((each, at) =>
        typeof each === 'string' ? object(`${at}`, undefined, each) : hook(`${at}`, each.events, each.weight),
      );
      const { objects, hooks } = splitHooks(all);
      expect(new Set([...objects, ...hooks])).toEqual(new Set(all));
      const installed = asInstalled(all);
      expect(new Set(installed).size).toBe(installed.length);
      expect(asInstalled(installed)).toEqual(installed);
    }),
    { seed: 4, numRuns: 300 },
  );
});
