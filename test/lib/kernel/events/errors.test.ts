import { describe, expect, test } from 'vitest';
import { FormatError, PositionedError } from '../../../../formats/error.ts';
import { TextLines } from '../../../../formats/text-lines.ts';
import { errorInfo, exits, fromFormat, redact, refused, SolpackError } from '../../../../lib/kernel/events/errors.ts';

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

  test('does not repeat the name of a text that the subject ends with', () => {
    const told = (subject: string, message: string): string =>
      (fromFormat('component-invalid', subject, new FormatError('chart-invalid', message)) as SolpackError).summary;
    expect(told('/srv/web/Chart.yaml', 'Chart.yaml: name: is missing')).toBe(
      '/srv/web/Chart.yaml: name: is missing (chart-invalid)',
    );
    expect(told('/srv/web.tgz', 'Chart.yaml: name: is missing')).toContain(
      '/srv/web.tgz: Chart.yaml: name: is missing',
    );
    expect(told('a', 'is damaged')).toBe('a: is damaged (chart-invalid)');
  });

  test('tells a code once, where both have the same', () => {
    const told = fromFormat('policy-invalid', 'p', new FormatError('policy-invalid', 'is empty')) as SolpackError;
    expect(told.message).toBe('is empty');
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

describe('an error about a position in a file', () => {
  const at = (text: string, textName?: string): PositionedError => {
    const lines = new TextLines(text);
    const problems = [lines.problem('a: is missing', 0, 3), lines.problem('b: is wrong', 4)];
    return new PositionedError('toml-invalid', problems, textName === undefined ? {} : { textName });
  };
  const told = (subject: string, textName?: string): SolpackError =>
    fromFormat('definition-invalid', subject, at('abc\ndef', textName)) as SolpackError;

  test('has file, line, column and length as fields, and tells them once', () => {
    const error = told('/x/solution.toml');
    expect(error.position).toEqual({ file: '/x/solution.toml', line: 1, column: 1, length: 3 });
    expect(error.lineText).toBe('abc');
    expect(error.message).toBe('/x/solution.toml:1:1: a: is missing; also 2:1: b: is wrong (toml-invalid)');
    expect(error.summary).toBe(error.message);
  });

  test('is about the file that is its subject, whatever shorter name its parser was reported', () => {
    expect(told('/x/y/values.yaml', 'y/values.yaml').position?.file).toBe('/x/y/values.yaml');
    expect(told('/x/values.yaml', 'alues.yaml').position?.file).toBe('alues.yaml');
  });

  test('names a text that is not a file beside its subject', () => {
    const error = told('component web', 'output of run');
    expect(error.position?.file).toBe('output of run');
    expect(error.summary).toMatch(/^component web: output of run:1:1: a: is missing;/);
  });

  test('shows no credentials in the name of its file', () => {
    const error = told('https://user:secret@example.com/solution.toml');
    expect(error.summary).toMatch(/^https:\/\/\*\*\*@example\.com\/solution\.toml:1:1: a/);
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  test('has its line only where the files of its code are no secret', () => {
    const showing = Object.entries(errorInfo).flatMap(([code, info]) => ('showsLine' in info ? [code] : []));
    expect(showing).toEqual([
      'definition-invalid',
      'lock-mismatch',
      'component-invalid',
      'profile-invalid',
      'configuration-invalid',
    ]);
    for (const code of ['policy-invalid', 'kubeconfig-invalid', 'key-invalid', 'passwords-invalid'] as const) {
      expect(fromFormat(code, 'f', at('abc\ndef'))).toMatchObject({ position: { line: 1 }, lineText: undefined });
    }
  });

  test.each([
    'password: hunter2',
    'bindPw: hunter2',
    'encryptionKey: hunter2',
    '{db: {pass: hunter2}}',
    'adminPasswd: x',
    'apiKey: x',
    'clientSecret: "x"',
    'url: https://user:x@example.com/',
    'key: -----BEGIN EC PRIVATE KEY-----',
    `  ${'A'.repeat(100)}=`,
  ])('has no line that may tell a secret: %s', (line) => {
    expect(fromFormat('component-invalid', 'f', at(`${line}\ndef`))).toMatchObject({ lineText: undefined });
  });
});
