import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { loadPrivateKey } from '../../lib/parts/trust/index.ts';
import { smallSolution, solpack } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { makeKey, type TestKey, writePolicy } from '../support/policies.ts';

const folder = scratch('policy');
const cwd = folder;
const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
let keys: readonly [TestKey, TestKey];
/** Milliseconds that several runs of solpack may take together. */
const PATIENCE = 180_000;

/** Packs the small Solution with what `fields` says of its trust, signed by the first key. */
async function pack(name: string, version: string, fields: string): Promise<void> {
  const path = join(folder, 'src/solution.toml');
  await smallSolution(join(folder, 'src'), { version });
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/^version.*$/m, (line) => `${line}\n${fields}`),
  );
  const sign = await loadPrivateKey(join(folder, 'first.key'));
  await packHere(path, join(folder, `${name}.iso`), { lock: 'update', sign });
  writeFileSync(join(folder, `${name}.yaml`), `${head}archives: [${name}.iso]\nactive: {hello: latest}\n`);
}

beforeAll(async () => {
  keys = [makeKey(folder, 'first'), makeKey(folder, 'second')];
  await pack('old', '1.0.0', 'sequence = 1\ncreated = 2026-01-01T00:00:00Z');
  await pack('new', '2.0.0', 'sequence = 2\ncreated = 2026-02-01T00:00:00Z\nexpires = 2150-01-01T00:00:00Z');
  await pack('expired', '3.0.0', 'sequence = 3\ncreated = 2001-01-01T00:00:00Z\nexpires = 2001-02-01T00:00:00Z');
  await pack('plain', '4.0.0', '');
});

const verify = (name: string, ...more: string[]): Promise<Outcome> =>
  solpack(['verify', `${name}.iso`, ...more, '--json', '--quiet'], { cwd });
const install = (name: string, ...more: string[]): Promise<Outcome> =>
  solpack(['install', '-f', `${name}.yaml`, '--render', 'rendered', ...more, '--json', '--quiet'], { cwd });
const found = ({ stdout }: Outcome): string[] => JSON.parse(stdout).findings.map(({ code }: { code: string }) => code);
const policy = (name: string, more: Readonly<Record<string, unknown>> = {}): string => {
  writePolicy(join(folder, name), keys, more);
  return name;
};

describe('a policy', () => {
  test(
    'lets a Solution pass that one of its keys has signed',
    async () => {
      const outcome = await verify('new', '--policy', policy('any.json'));
      const result = JSON.parse(outcome.stdout);
      expect(jsonSchemas.verify.strict().parse(result)).toEqual(result);
      expect([outcome.code, result.trusted, result.signers]).toEqual([0, true, [keys[0].id]]);
    },
    PATIENCE,
  );

  test.each([
    ['that too few have signed', 'new', 2, 'threshold-unmet'],
    ['that has expired', 'expired', 1, 'solution-expired'],
  ])(
    'refuses a Solution %s, by install and by verify alike, with exit status 3',
    async (_, name, threshold, reason) => {
      const rule = { match: '*', keys: keys.map(({ id }) => id), threshold };
      const file = policy(`${reason}.json`, { policies: [rule] });
      const verified = await verify(name, '--policy', file);
      expect([verified.code, found(verified)]).toEqual([3, [reason]]);
      const installed = await install(name, '--policy', file, '--trust-state', 'refused', '--render', 'never');
      expect([installed.code, JSON.parse(installed.stdout).error.code]).toEqual([3, 'not-trusted']);
      expect(installed.stderr).toMatch(/^solpack: [^\n]*\[not-trusted\]\n$/);
      expect(installed.stderr).toContain(`(${reason})`);
      expect(readdirSync(folder)).not.toContain('never');
      expect(readdirSync(folder)).not.toContain('refused');
    },
    PATIENCE,
  );

  test(
    'that cannot be read is refused in one line with its place',
    async () => {
      writeFileSync(join(folder, 'bad.toml'), 'version = 1\nkeyz = []\n');
      for (const run of [await verify('new', '--policy', 'bad.toml'), await install('new', '--policy', 'bad.toml')]) {
        expect([run.code, JSON.parse(run.stdout).error.code]).toEqual([2, 'policy-invalid']);
        expect(run.stderr).toMatch(
          /^solpack: [^\n]*2:1: keyz: unknown field; did you mean "keys"\?[^\n]*\[policy-invalid\]\n$/,
        );
      }
    },
    PATIENCE,
  );
});

describe('what installs remember', () => {
  const state = ['--trust-state', 'state'];
  const signed = ['--key', 'first.pub', ...state];

  test(
    'keeps an older release from coming back',
    async () => {
      expect((await install('old', ...signed)).code).toBe(0);
      const { code, stdout } = await install('new', ...signed);
      expect([code, JSON.parse(stdout).trust, JSON.parse(stdout).solutions[0].downgraded]).toEqual([0, 'keys', false]);
      const refused = await install('old', ...signed);
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/\(downgrade\).*--allow-downgrade/)]);
      expect(found(await verify('old', ...signed))).toEqual(['downgrade']);
    },
    PATIENCE,
  );

  test(
    'gives way where that is asked for, which is reported and recorded',
    async () => {
      const allowed = await solpack(
        ['install', '-f', 'old.yaml', '--render', 'rendered', ...signed, '--allow-downgrade', '--json'],
        { cwd },
      );
      expect(allowed.code).toBe(0);
      expect(JSON.parse(allowed.stdout).solutions[0]).toMatchObject({ version: '1.0.0', downgraded: true });
      expect(allowed.stderr).toContain('as --allow-downgrade says');
      expect((await install('plain', ...signed)).code).toBe(3);
    },
    PATIENCE,
  );

  test(
    'keeps the highest sequence and the newest date, and nothing of what nobody was asked to trust',
    async () => {
      expect(JSON.parse(readFileSync(join(folder, 'state/memory.json'), 'utf8'))).toEqual({
        stateVersion: 2,
        solutions: { hello: { sequence: 2, newest: Date.UTC(2026, 1, 1) / 1000 } },
      });
      const { code, stdout } = await install('new', '--insecure-skip-verify', '--trust-state', 'skipped');
      expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ trust: 'skipped' })]);
      expect((await install('plain', '--key', 'first.pub', '--trust-state', 'skipped')).code).toBe(0);
      expect(readdirSync(folder)).not.toContain('skipped');
    },
    PATIENCE,
  );
});

describe('the next version of a policy', () => {
  test(
    'is signed and accepted from the command line, and refused with 3 as long as too few have signed',
    async () => {
      const next = { rotation: { keys: keys.map(({ id }) => id), threshold: 2 } };
      const [current, after] = [policy('current.json', next), policy('next.json', { ...next, version: 2 })];
      const run = (...args: string[]): Promise<Outcome> => solpack(['trust', ...args, '--json', '--quiet'], { cwd });
      const signed = JSON.parse((await run('sign', after, '--private-key', 'first.key')).stdout);
      expect(jsonSchemas.trust.strict().parse(signed)).toEqual(signed);
      const refused = await run('accept', after, '--current', current);
      expect([refused.code, refused.stderr]).toEqual([
        3,
        expect.stringMatching(/^solpack: [^\n]*\[policy-untrusted\]\n$/),
      ]);
      expect((await run('sign', after, '--private-key', 'second.key')).code).toBe(0);
      const accepted = JSON.parse((await run('accept', after, '--current', current)).stdout);
      expect(jsonSchemas.trust.strict().parse(accepted)).toEqual(accepted);
      expect(readFileSync(join(folder, current))).toEqual(readFileSync(join(folder, after)));
    },
    PATIENCE,
  );
});

test.each([
  ['trust', 'sign', 'any.json'],
  ['trust', 'accept', 'any.json'],
  ['trust', 'believe', 'any.json'],
  ['install', '--render=never', '-f', 'new.yaml', '--key', 'first.pub', '--policy', 'any.json'],
  ['install', '--render=never', '-f', 'new.yaml', '--key', 'first.pub', '--insecure-skip-verify'],
  ['verify', 'new.iso', '--key', 'first.pub', '--policy', 'any.json'],
  ['verify', 'new.iso', '--trust-state', 'state'],
])('options that contradict each other are refused: %s %s %s %s %s %s %s', async (...args) => {
  expect(await solpack(args, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('[usage-invalid]') });
});

test('a Solution that expires before it is made, or counts no releases from 1 on, is not packed', async () => {
  for (const fields of [
    'created = 2026-01-01T00:00:00Z\nexpires = 2025-01-01T00:00:00Z',
    'sequence = 0',
    'expires = 2026-01-01',
  ]) {
    await expect(pack('never', '1.0.0', fields)).rejects.toMatchObject({ code: 'definition-invalid' });
  }
});
