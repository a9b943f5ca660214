import { describe, expect, test } from 'vitest';
import { FormatError } from '../../formats/error.ts';
import { errorInfo, exits, fromFormat, redact, refused, SolpackError } from '../../lib/errors.ts';

describe('an error that users see', () => {
  test('has the exit code of its code', () => {
    expect(new SolpackError('not-trusted', 'a.iso', 'why').exit).toBe(exits.untrusted);
    for (const [code, { title, exit }] of Object.entries(errorInfo)) {
      expect(Object.values(exits)).toContain(exit);
      expect(exit).not.toBe(exits.ok);
      expect(title, code).toMatch(/^[A-Z`].*[^.]$/);
    }
  });

  test('shows no credentials, in any of its parts', () => {
    const url = 'https://user:secret@example.com/v2/x?token=secret';
    const error = new SolpackError('registry-error', url, `GET ${url} failed`, { hint: `try ${url}`, side: 'target' });
    expect(JSON.stringify([error.subject, error.message, error.hint])).not.toContain('secret');
    expect(error.subject).toBe('https://***@example.com/v2/x?***');
    expect(error.side).toBe('target');
  });

  test('keeps its cause', () => {
    const cause = new Error('below');
    expect(new SolpackError('disk-full', '/', 'full', { cause }).cause).toBe(cause);
    expect(Object.hasOwn(new SolpackError('disk-full', '/', 'full'), 'cause')).toBe(false);
  });
});

describe('credentials in a URL are blanked', () => {
  test.for([
    ['http://a:b@host:5000/x', 'http://***@host:5000/x'],
    ['HTTPS://token@host', 'HTTPS://***@host'],
    ['https://user:p@ss@host/x', 'https://***@host/x'],
    ['"https://a:b@host?q=1", then http://host/?t', '"https://***@host?***", then http://host/?***'],
    ['https://host/web@sha256:12', 'https://host/web@sha256:12'],
    ['https://host?mail=a@b', 'https://host?***'],
    ['write to me@example.com', 'write to me@example.com'],
  ])('%s', ([value, expected]) => {
    expect(redact(value!)).toBe(expected);
  });
});

describe('what a format refuses', () => {
  const cause = new FormatError('truncated', 'the end is missing', { offset: 3 });

  test('becomes an error about its subject', async () => {
    await expect(
      refused('archive-invalid', 'a.iso', () => Promise.reject(cause), 'copy it again'),
    ).rejects.toMatchObject({
      name: 'SolpackError',
      code: 'archive-invalid',
      subject: 'a.iso',
      message: 'the end is missing (truncated)',
      hint: 'copy it again',
      cause,
    });
    expect(fromFormat('archive-invalid', 'a.iso', cause)).toMatchObject({ hint: undefined });
  });

  test('is not mistaken for a bug, nor a bug for it', async () => {
    const bug = new TypeError('a bug');
    await expect(
      refused('archive-invalid', 'a', () => {
        throw bug;
      }),
    ).rejects.toBe(bug);
    expect(await refused('archive-invalid', 'a', () => 1)).toBe(1);
  });
});
