import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { type InstallPlan, parseInstallPlan } from '../../../formats/solution/install-plan.ts';

const plan: InstallPlan = {
  configuration: 'edge',
  choices: [{ name: 'shop', version: '1.1.0', reason: 'the highest version', passedOver: ['1.0.0'] }],
  steps: [
    {
      kind: 'apply',
      subject: 'Deployment/shop/web',
      action: 'change',
      changes: [{ path: 'spec.replicas', from: 1, to: [2, { a: null }] }, { path: 'data.secret' }],
      step: `sha256:${'a'.repeat(64)}`,
      restarts: 2,
      uid: 'u',
    },
  ],
  bytes: 5,
  unchanged: 3,
  room: [{ place: '/srv', needed: 5, free: 7 }],
  seal: `${'0'.repeat(32)}:${'f'.repeat(64)}`,
};

const parsed = (value: unknown): InstallPlan => parseInstallPlan(utf8(JSON.stringify(value)));

test('a plan is read as it was printed, with fields that are not known', () => {
  const printed = { schemaVersion: 1, ...plan, later: { a: 1 } };
  expect(parsed(printed)).toEqual(printed);
});

describe('what is no plan is refused, and says where', () => {
  const [step] = plan.steps;
  test.each<[string, unknown, string]>([
    ['a list', [], 'the plan'],
    ['without steps', { ...plan, steps: undefined }, 'steps'],
    ['with an action that nobody does', { ...plan, steps: [{ ...step, action: 'explode' }] }, 'steps.0.action'],
    ['with a step without a name', { ...plan, steps: [{ ...step, step: 'sha256:1' }] }, 'steps.0.step'],
    ['with bytes below none', { ...plan, bytes: -1 }, 'bytes'],
    ['with a seal of another form', { ...plan, seal: 'open' }, 'seal'],
  ])('%s', (_, value, field) => {
    expect(() => parsed(value)).toThrow(FormatError);
    expect(() => parsed(value)).toThrow(field);
  });

  test('with a field that is there twice, which two readers may take differently', () => {
    const text = JSON.stringify(plan).replace('"bytes":5', '"bytes":5,"bytes":6');
    expect(() => parseInstallPlan(utf8(text))).toThrow('"bytes" is there twice');
  });

  test('whatever becomes of its bytes', () => {
    const whole = utf8(JSON.stringify(plan));
    const change = fc.tuple(fc.nat(whole.length - 1), fc.uint8Array({ maxLength: 4 }), fc.nat(8));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        let bytes = Buffer.from(whole);
        for (const [at, put, gone] of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + gone)]);
        }
        try {
          expect(typeof parseInstallPlan(bytes).configuration).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
    );
  });
});
