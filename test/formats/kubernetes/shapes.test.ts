import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shapeCheck } from '../../../formats/kubernetes/index.ts';
import { knownMinors } from '../../../formats/kubernetes/minors.ts';
import { fieldPlaceWords } from '../../../formats/kubernetes/problems.ts';
import { changed, faults, sound, soundOne } from './support.ts';

const definitions = sound.filter(({ kind }) => kind === 'CustomResourceDefinition');
const check = shapeCheck(35, definitions);

describe('the shape of objects', () => {
  test.each([30, 31, 32, 33, 34, 35, 36, 37, 99])('finds nothing in sound objects for Kubernetes 1.%i', (minor) => {
    const problems = sound.flatMap((object) => shapeCheck(minor, definitions)(object));
    expect(problems).toEqual([]);
  });

  test.each(faults.map((fault) => [`${fault.of} ${fieldPlaceWords(fault.at)} ${String(fault.told)}`, fault] as const))(
    'tells what is wrong: %s',
    (_, { of, at, value, told, place = at }) => {
      const problems = check(changed(soundOne(of), at, value));
      expect(problems).toContainEqual({ path: place, message: expect.stringMatching(told) });
      expect(problems.length).toBeLessThan(4);
    },
  );

  test('tells since when, and until when, there is a field', () => {
    const stopSignal = changed(soundOne('Pod/pod'), ['spec', 'containers', 0, 'resizePolicy'], []);
    expect(shapeCheck(26)(stopSignal)).toContainEqual({
      path: ['spec', 'containers', 0, 'resizePolicy'],
      message: 'is a field since 1.27 only, which Kubernetes 1.26 does not know',
    });
    expect(shapeCheck(27)(stopSignal).map(({ path }) => fieldPlaceWords(path))).not.toContain(
      'spec.containers.0.resizePolicy',
    );
  });

  test('tells since when there is a kind, and what is off unless somebody turns it on', () => {
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'a' },
    };
    expect(shapeCheck(29)(policy)).toEqual([
      {
        path: ['apiVersion'],
        message: `Kubernetes 1.29 does not serve ${policy.apiVersion} ${policy.kind}, which there is since 1.30`,
      },
    ]);
    const beta = { ...policy, apiVersion: 'admissionregistration.k8s.io/v1beta1' };
    expect(shapeCheck(32)(beta)[0]?.message).toBe(
      `Kubernetes 1.32 does not serve ${beta.apiVersion} ${beta.kind} unless it is enabled; it serves ${policy.apiVersion} ${policy.kind}`,
    );
    expect(shapeCheck(30)(policy)).toEqual([]);
  });

  test('takes custom resources as they are where their definition is not at hand, or takes anything', () => {
    const gadget = changed(soundOne('Gadget/gadget.one'), ['spec'], 7);
    expect(shapeCheck(35)(gadget)).toEqual([]);
    const open = changed(definitions[0]!, ['spec', 'preserveUnknownFields'], true);
    expect(shapeCheck(35, [open])(gadget)).toEqual([]);
  });

  test('keeps to Kubernetes where a definition is about one of its own kinds', () => {
    const lies = changed(changed(definitions[0]!, ['spec', 'group'], 'apps'), ['spec', 'names', 'kind'], 'Deployment');
    const deployment = changed(soundOne('Deployment/deployment'), ['spec', 'replica'], 1);
    expect(shapeCheck(35, [lies])(deployment)).toHaveLength(1);
  });

  test('tells no more than fifty problems of an object, and gives away no value of a Secret', () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key-${index}`, 4711]));
    const problems = check({ ...soundOne('Secret/secret'), data });
    expect(problems).toHaveLength(50);
    expect(JSON.stringify(problems)).not.toContain('4711');
  });

  test('minors between those that are known are all told apart', () => {
    expect(knownMinors.oldest).toBeLessThan(29);
    expect(knownMinors.newest).toBeGreaterThanOrEqual(35);
  });
});

test('a field whose name is empty has a place too', () => {
  const [first] = check({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, '': { a: 1 } });
  expect([fieldPlaceWords(first!.path), first!.message]).toEqual(['""', expect.stringMatching(/field/)]);
});

describe('whatever comes', () => {
  const kinds = sound.map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }));

  test('is judged without an exception', () => {
    const any = fc.jsonValue({ maxDepth: 6 });
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.dictionary(fc.constantFrom('spec', 'data', 'rules', 'x'), any),
        any,
        (kind, more, metadata) => {
          for (const { path, message } of check({ ...kind, ...more, metadata })) {
            expect(fieldPlaceWords(path)).not.toBe('');
            expect(message).not.toMatch(/undefined|NaN|\[object/);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a value of another type, anywhere in a sound object, is reported at its place or around it', () => {
    const places = sound.flatMap((object) => leaves(object, []).map((path) => [object, path] as const));
    const wrong = fc.constantFrom([[]], [{ a: 1 }]);
    fc.assert(
      fc.property(fc.constantFrom(...places), wrong, ([object, path], [value]) => {
        for (const problem of check(changed(object, path, value))) expect(problem.path.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  test('null stands for what is left out, and is never of a wrong type', () => {
    const places = sound
      .filter(({ kind }) => kind !== 'Gadget')
      .flatMap((object) => leaves(object, []).map((path) => [object, path] as const));
    for (const [object, path] of places) {
      expect(check(changed(object, path, null)).map(({ message }) => message)).not.toContainEqual(
        expect.stringMatching(/, not null/),
      );
    }
  });
});

/** The places of all scalars, those aside that say what the object is. */
function leaves(value: unknown, path: readonly (string | number)[]): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return path.length > 1 ? [path] : [];
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
