import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventSchema } from '../../cli/view/json-events.ts';
import { smallSolution, solpack, starts } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('log-file');
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  await smallSolution(at('hello'));
});

function lines(path: string): Record<string, unknown>[] {
  const all = readFileSync(path, 'utf8').trimEnd().split('\n');
  return all.map((line) => eventSchema.parse(JSON.parse(line)) as Record<string, unknown>);
}

describe('the file of --log-file', () => {
  test('has what each run did and how it ended, one behind the other, for its user alone', async () => {
    const log = ['--log-file', at('log.jsonl')];
    expect((await solpack(['pack', at('hello'), '-o', at('hello.iso'), '--quiet', ...log])).code).toBe(0);
    const failed = await solpack(['inspect', at('nothing.iso'), ...log]);
    expect(failed.code).toBe(2);
    const told = lines(at('log.jsonl'));
    const kinds = told.map(({ type }) => type).filter((type) => type !== 'step' && type !== 'notice');
    expect(kinds).toEqual(['begin', 'end', 'begin', 'error', 'end']);
    expect(told.some(({ type }) => type === 'step')).toBe(true);
    expect(told[0]).toMatchObject({
      type: 'begin',
      argv: ['pack', at('hello'), '-o', at('hello.iso'), '--quiet', ...log],
    });
    expect(told.filter(({ type }) => type === 'end').map(({ exit }) => exit)).toEqual([0, 2]);
    const error = told.find(({ type }) => type === 'error');
    expect(failed.stderr).toBe(`solpack: ${error?.['message']}\n`);
    expect(new Set(told.map(({ run }) => run)).size).toBe(2);
    expect(statSync(at('log.jsonl')).mode & 0o777).toBe(0o600);
  });

  test('has no login of an address, no query of one, and no command that signs', async () => {
    const log = ['--log-file', at('secret.jsonl')];
    const address = 'https://ada:c0ffee@127.0.0.1:1/x.iso?token=c0ffee';
    expect((await solpack(['inspect', address, ...log])).code).not.toBe(0);
    for (const signer of [['--signer', 'tool --pin c0ffee'], ['--signer=tool --pin c0ffee']])
      expect((await solpack(['sign', at('none.iso'), ...signer, '--key', at('none.pub'), ...log])).code).not.toBe(0);
    const text = readFileSync(at('secret.jsonl'), 'utf8');
    expect(text).not.toContain('c0ffee');
    expect(lines(at('secret.jsonl'))[0]).toMatchObject({
      argv: ['inspect', 'https://***@127.0.0.1:1/x.iso?***', ...log],
    });
  });

  test('has what a run did that was killed', async () => {
    const serve = await starts(['serve', at('hello.iso'), '--listen', '127.0.0.1:0', '--log-file', at('killed.jsonl')]);
    await serve.stop('SIGKILL');
    const told = lines(at('killed.jsonl'));
    expect(told[0]?.['type']).toBe('begin');
    expect(told.some(({ type }) => type === 'end')).toBe(false);
  });

  test('that cannot be opened ends the command before it does anything; one that is full does not', async () => {
    const unopened = await solpack(['pack', at('hello'), '-o', at('not.iso'), '--log-file', at('absent/log')]);
    expect([unopened.code, existsSync(at('not.iso'))]).toEqual([6, false]);
    expect(unopened.stderr).toMatch(/absent\/log.*\[output-unwritable\]/);
    const full = await solpack(['inspect', at('hello.iso'), '--log-file', '/dev/full']);
    expect(full.code).toBe(0);
    expect(full.stderr.match(/no longer logging there/g)).toHaveLength(1);
  });
});

test('each line of --progress json is what its schema says', async () => {
  const { code, stderr } = await solpack(['verify', at('hello.iso'), '--progress', 'json']);
  expect(code).toBe(0);
  for (const line of stderr.trimEnd().split('\n')) eventSchema.parse(JSON.parse(line));
});
