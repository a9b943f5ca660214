import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { isImmutable } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/failure.ts';
import { apiErrorOf } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/status.ts';
import { status } from '../../../../../../support/apiserver.ts';

const tried = { verb: 'apply', subject: 'Job n/j' };

function refusal(message: string, causes: readonly object[] = []): ApiError {
  const body = Buffer.from(JSON.stringify(status(422, 'Invalid', message, { causes })));
  return apiErrorOf({ status: 422, headers: {}, body }, tried);
}

describe('of what a server says that is too long to be shown', () => {
  const template = `core.PodTemplateSpec{Env:[]core.EnvVar{${'core.EnvVar{Name:"A", Value:"b"}, '.repeat(10_000)}}`;

  test('the middle is left out: what it is about, and what is wrong with it, stay', () => {
    const { message } = refusal(
      `Job.batch "j" is invalid: spec.template: Invalid value: ${template}: field is immutable`,
    );
    expect(message).toMatch(/^Job\.batch "j" is invalid: spec\.template: .* … .*: field is immutable$/);
    expect(message.length).toBeLessThanOrEqual(2001);
  });

  test('the same goes for each of its causes, so that a field that never changes is recognised', () => {
    const message = `Invalid value: ${template}: field is immutable`;
    const error = refusal('is invalid', [{ reason: 'FieldValueInvalid', field: 'spec.template', message }]);
    expect(error.causes[0]?.message).toMatch(/^Invalid value: core\.PodTemplateSpec.* … .*: field is immutable$/);
    expect(isImmutable(error)).toBe(true);
  });

  test.each([1, 2, 3, 4])('no half of a character is left where it is cut (%i)', (shift) => {
    expect(refusal(`${'x'.repeat(shift)}${'\u{1f600}'.repeat(5_000)}`).message).not.toMatch(/\p{Cs}/u);
  });
});

test('what can be shown is shown as it is, in one line', () => {
  expect(refusal(`${'a '.repeat(900)}\n\tend`).message).toBe(`${'a '.repeat(900)}end`);
});
