import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SolpackError } from '../../../../lib/kernel/events/errors.ts';
import type { Event } from '../../../../lib/kernel/events/events.ts';
import { redactedData, redactedError, redactedFlow, redactor } from '../../../../lib/kernel/events/redaction.ts';
import { testFlow } from '../../../support/flow.ts';

const secret = 'correct horse?battery';
const redact = redactor([secret, 'line one\nline two\n']);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a secret', () => {
  test.each([
    ['as it is', `x${secret}y`],
    ['one line of it', 'see "line two".'],
    ['as a part of JSON', JSON.stringify({ a: 'line one\nline two\n' })],
    ['in a URL', `?p=${encodeURIComponent(secret)}`],
    ['in Base64', base64(secret)],
    ['in Base64 with a line break behind it', base64(`${secret}\n`)],
    ['as a part of what is in Base64', base64(`user:${secret}@host`)],
    ['as a part that begins elsewhere', base64(`u:${secret}@host`)],
    ['in the alphabet of URLs', Buffer.from(`abc>>>${secret}`).toString('base64url')],
  ])('is blanked %s', (_, text) => {
    expect(redact(text)).toContain('***');
    expect(redact(text)).not.toMatch(/horse|battery|line one|line two|bGluZSB0d28|aG9yc2|hvcnNl|b3JzZ/);
  });

  test('is in no event, no error with its cause and stack, and no data', () => {
    const flow = testFlow();
    const events: Event[] = [
      { type: 'notice', subject: secret, message: `is ${secret}` },
      { type: 'step', step: 'x', subject: secret },
      { type: 'progress', step: 'x', done: 1, total: 2 },
    ];
    for (const event of events) redactedFlow(flow, redact).onEvent(event);
    const position = { file: 'a.yaml', line: 1, column: 2, length: 3 };
    const error = new SolpackError('configuration-invalid', secret, `is ${secret}`, {
      hint: `try ${secret}`,
      findings: [{ code: 'disk-full', subject: secret, message: `holds ${secret}` }],
      position,
      lineText: `a: ${secret}`,
      cause: new Error(secret),
    });
    const told = redactedError(error, redact) as SolpackError;
    expect(told).toMatchObject({
      code: 'configuration-invalid',
      position,
      message: 'a.yaml:1:2: is ***',
      hint: 'try ***',
      findings: [{ code: 'disk-full', subject: '***', message: 'holds ***' }],
    });
    const plain = redactedError(Object.assign(new Error(`x ${secret}`), { cause: error }), redact) as Error;
    const all = [flow.events, told.stack, told.cause, told.lineText, plain.message, plain.stack, plain.cause];
    expect(JSON.stringify([all, redactedData({ [secret]: [secret, 1, null] }, redact)])).not.toContain('horse');
  });

  test('leaves an error that tells nothing of it as it is', () => {
    const error = new Error('other');
    expect(redactedError(error, redact)).toBe(error);
    expect(redactedError(undefined, redact)).toBeUndefined();
  });

  test('is found in Base64 wherever it stands there', () => {
    const word = fc.string({ unit: 'grapheme-ascii', minLength: 9, maxLength: 40 });
    fc.assert(
      fc.property(word, fc.string(), fc.string(), (one, before, after) => {
        const blank = redactor([one]);
        expect(blank(base64(before + one + after))).toContain('***');
      }),
    );
  });
});
