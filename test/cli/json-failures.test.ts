import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programOf } from '../../cli/program.ts';
import { jsonSchemas } from '../../cli/view/json.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';
import { solpack } from '../support/cli.ts';
import { type HereOptions, solpackHere } from '../support/here.ts';
import { type Outcome, scratch } from '../support/judges.ts';

const cwd = scratch('json-failures');

/** The error that a command has printed, and how it ended. Nothing else is on stdout. */
function told({ code, stdout }: Outcome): { code: number; error: ReturnType<typeof parsed>['error'] } {
  return { code, error: parsed(stdout).error };
}

function parsed(text: string) {
  const value = JSON.parse(text);
  expect(jsonSchemas.error.strict().parse(value)).toEqual(value);
  return jsonSchemas.error.parse(value);
}

const here = (args: readonly string[], options: Partial<HereOptions> = {}): Promise<Outcome> =>
  solpackHere([...args, '--json', '--quiet'], { cwd, ...options });

const names = (await programOf(quietIo(), '', () => undefined)).commands.map((command) => command.name());

test.each(names)('%s tells a command line that it does not understand as JSON', async (name) => {
  const outcome = await here([name, '--no-such-option']);
  expect(told(outcome)).toEqual({
    code: 2,
    error: { code: 'usage-invalid', message: expect.stringMatching(/\w/), hint: expect.stringContaining('--help') },
  });
  expect(outcome.stderr).toMatch(/^solpack: .* \[usage-invalid\]\n$/);
});

test('a command that there is not is told of as JSON', async () => {
  const { code, error } = told(await here(['insect']));
  expect([code, error.code, error.message]).toEqual([2, 'usage-invalid', expect.stringContaining('insect')]);
  expect(told(await here(['pack', '--format', 'zip']))).toEqual({
    code: 2,
    error: { code: 'usage-invalid', message: '--format: "zip" is none of iso, tar', hint: 'write one of them' },
  });
});

test('what cannot be done is reported with its code, what to do, and the exit code that it has for people', async () => {
  const outcome = await here(['inspect', 'nowhere.iso']);
  expect(told(outcome)).toEqual({
    code: 2,
    error: {
      code: 'file-missing',
      message: `${join(cwd, 'nowhere.iso')}: no such file or folder`,
      hint: 'check the path',
    },
  });
  expect(outcome.stderr).toBe(
    `solpack: ${join(cwd, 'nowhere.iso')}: no such file or folder; check the path [file-missing]\n`,
  );
  expect((await solpackHere(['inspect', 'nowhere.iso', '--quiet'], { cwd })).stdout).toBe('');
});

test('the line for people begins in colour, and the JSON beside it has none', async () => {
  const { stdout, stderr } = await here(['inspect', 'nowhere.iso'], { env: { FORCE_COLOR: '1' } });
  expect(stderr).toMatch(/^\u001b\[31msolpack:\u001b\[39m \/.*\[file-missing\]\n$/);
  expect(stdout).not.toContain('\u001b');
});

test('a position in a file comes as numbers', async () => {
  writeFileSync(join(cwd, 'solution.toml'), 'name = "web"\nversion = "v1"\n');
  const { error } = told(await here(['pack', 'solution.toml', '-o', 'x.iso']));
  expect(error).toMatchObject({ code: 'definition-invalid', message: expect.stringContaining('solution.toml:2:1: ') });
  expect(error.position).toEqual({ file: join(cwd, 'solution.toml'), line: 2, column: 1, length: 14 });
});

test('what the message only counts is listed', async () => {
  mkdirSync(join(cwd, 'open/web'), { recursive: true });
  const pod = (name: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: a, image: "example.com/${name}:1"}]}\n`;
  writeFileSync(join(cwd, 'open/web/pods.yaml'), `${pod('one')}---\n${pod('two')}`);
  writeFileSync(
    join(cwd, 'open/solution.toml'),
    'name = "open"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "manifests"\npath = "web"\n',
  );
  const outcome = await here(['pack', 'open', '-o', 'open.iso']);
  const { code, error } = told(outcome);
  expect([code, error.code, error.findings?.length]).toEqual([2, 'solution-open', 2]);
  expect(outcome.stderr.split('\n').filter((line) => line.startsWith('solpack: '))).toHaveLength(3);
});

test('an interruption is reported with what is left', async () => {
  const outcome = await here(['inspect', 'nowhere.iso'], { signal: AbortSignal.abort() });
  expect(told(outcome)).toEqual({
    code: 130,
    error: { code: 'interrupted', message: 'interrupted; nothing was changed' },
  });
});

test('the line is on stderr where an archive goes to stdout', async () => {
  const { code, stdout, stderr } = await here(['pack', 'nowhere', '-o', '-', '--format', 'tar']);
  const [line, json] = stderr.trim().split('\n');
  expect([code, stdout, line]).toEqual([2, '', expect.stringMatching(/^solpack: /)]);
  expect(parsed(json!).error.code).toBe('file-missing');
});

test('what stands behind -- asks for no JSON', async () => {
  const { stdout } = await solpackHere(['inspect', '--quiet', '--', '--json'], { cwd });
  expect(stdout).toBe('');
});

test('a fault of the process that runs it comes on stdout as one line', async () => {
  const { code, stdout } = await solpack(['ls', 'nowhere.iso', '--json', '--quiet'], { cwd });
  expect([code, parsed(stdout).error.code, stdout.split('\n')]).toEqual([2, 'file-missing', [expect.any(String), '']]);
});
