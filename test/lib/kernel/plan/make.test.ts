import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inputDigest, planSteps, stepName } from '../../../../lib/kernel/plan/make.ts';
import type { Product, StepKind } from '../../../../lib/kernel/plan/step.ts';

const flour: Product<string> = { product: 'flour' };
const bread: Product<string> = { product: 'bread' };

function kind(name: string, takes: readonly Product<unknown>[], gives: Product<string>): StepKind<number, unknown> {
  return {
    kind: name,
    takes,
    gives,
    plan: (count) => Array.from({ length: count }, (_, index) => ({ subject: `${name} ${index}`, inputs: { index } })),
    run: async () => name,
  };
}

test('a step comes after all earlier ones that give what it takes, whichever kind they are of', () => {
  const steps = planSteps([kind('mill', [], flour), kind('buy', [], flour), kind('bake', [flour], bread)], 2);
  expect(steps.map(({ subject }) => subject)).toEqual(['mill 0', 'mill 1', 'buy 0', 'buy 1', 'bake 0', 'bake 1']);
  const names = steps.map(({ name }) => name);
  expect(steps.map(({ after }) => after.map((name) => names.indexOf(name)))).toEqual([
    [],
    [],
    [],
    [],
    [0, 1, 2, 3],
    [0, 1, 2, 3],
  ]);
});

test('a step does not come after what nobody gives before it', () => {
  const [bake] = planSteps([kind('bake', [flour], bread), kind('mill', [], flour)], 1);
  expect(bake!.after).toEqual([]);
});

test('a step that is read back from JSON has the name that it says, whatever the order of its fields', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, fields) => {
      const inputs = JSON.parse(JSON.stringify({ value, fields }));
      const turned = { fields: Object.fromEntries(Object.entries(inputs.fields).reverse()), value: inputs.value };
      const name = stepName({ kind: 'bake', inputs, after: [] });
      expect(stepName({ kind: 'bake', inputs: JSON.parse(JSON.stringify(turned)), after: [] })).toBe(name);
    }),
  );
});

test('maps and sets are digested as the lists of what they hold', () => {
  expect(inputDigest(new Map([['a', new Set([1])]]))).toBe(inputDigest([['a', [1]]]));
  expect(inputDigest(new Map([['a', 1]]))).not.toBe(inputDigest(new Map([['a', 2]])));
});
