import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import type { Relations } from '../../../../formats/solution/relations.ts';
import type { RenderedSolution } from '../../../../lib/parts/clusters/kind.ts';
import { solutionOrder } from '../../../../lib/shared/rendering/solution-order.ts';

const definition = (kind: string): KubernetesObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.example.com` },
  spec: { group: 'example.com', names: { kind }, versions: [{ name: 'v1', served: true }] },
});

const custom = (kind: string): KubernetesObject => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { name: 'one', namespace: 'default' },
});

function solution(name: string, objects: readonly KubernetesObject[], relations?: Relations): RenderedSolution {
  const components = [{ name: 'all', objects, after: [], timeout: 1000 }];
  return { name, version: '1.0.0', root: undefined, components, ...(relations && { relations }) };
}

const facts = (...apiVersions: string[]) => ({ version: 'v1.33.0', apiVersions, namespaced: () => undefined });

describe('the order of Solutions', () => {
  test('has what defines a kind before its objects, and all others as they are', () => {
    const app = solution('app', [custom('Widget')]);
    const operator = solution('operator', [definition('Widget')]);
    expect(solutionOrder([app, operator, solution('b', [])], undefined)).toEqual(['operator', 'app', 'b']);
  });

  test('follows what is required, except in a circle, where kinds decide', () => {
    const app = solution('app', [custom('Widget')], { requires: { operator: '*' } });
    const operator = solution('operator', [definition('Widget')], { requires: { app: '*' } });
    expect(solutionOrder([app, operator], undefined)).toEqual(['operator', 'app']);
    const [first, second] = [
      solution('a', [], { requires: { cap: '*' } }),
      solution('b', [], { provides: { cap: '1.0.0' } }),
    ];
    expect(solutionOrder([first, second], undefined)).toEqual(['b', 'a']);
  });

  test('refuses kinds that have to be there before each other, unless the cluster has one of them', () => {
    const a = solution('a', [definition('Widget'), custom('Gadget')]);
    const b = solution('b', [definition('Gadget'), custom('Widget')]);
    expect(() => solutionOrder([a, b], facts())).toThrow(
      expect.objectContaining({ code: 'set-impossible', subject: 'a and b' }),
    );
    expect(solutionOrder([a, b], facts('example.com/v1', 'example.com/v1/Gadget'))).toEqual(['a', 'b']);
  });

  test('leaves a Solution that brings the definitions of its own objects where it is', () => {
    const all = [custom('Widget'), definition('Widget')];
    expect(solutionOrder([solution('a', all), solution('b', all)], undefined)).toEqual(['a', 'b']);
  });
});
