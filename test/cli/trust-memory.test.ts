import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack } from '../support/cli.ts';
import { judged, type Outcome, ok, scratch } from '../support/judges.ts';
import { memoryPathIn, setMemory } from '../support/memory.ts';
import { makeKey, type TestKey, writePolicy } from '../support/policies.ts';

const cwd = scratch('trust-memory');
const state = join(cwd, 'state');
const LATE = Date.UTC(2155, 11, 31) / 1000;
const TOMORROW = Math.floor(Date.now() / 1000) + 86_000;
let keys: readonly [TestKey, TestKey];

const trust = (...args: string[]): Promise<Outcome> =>
  solpack(['trust', ...args, '--trust-state', 'state', '--quiet'], { cwd });
const sign = (key: string): Promise<Outcome> =>
  solpack(['trust', 'sign', 'mend.toml', '--private-key', `${key}.key`, '--quiet'], { cwd });

beforeAll(() => {
  keys = [makeKey(cwd, 'first'), makeKey(cwd, 'second')];
  const ids = keys.map(({ id }) => id);
  writePolicy(join(cwd, 'trust.json'), keys, {
    policies: [
      { match: 'platform', keys: ids, movesTime: true },
      { match: '*', keys: ids },
    ],
    rotation: { keys: ids, threshold: 2 },
  });
  setMemory(state, { guestbook: { sequence: 9, newest: LATE }, platform: { newest: TOMORROW } });
});

test('what is remembered is shown, with what it means by a policy and without one', async () => {
  const shown = async (...args: string[]) => {
    const result = JSON.parse((await trust('show', ...args, '--json')).stdout);
    expect(jsonSchemas.trust.strict().parse(result)).toEqual(result);
    return result;
  };
  const guestbook = { name: 'guestbook', sequence: 9, newest: LATE, movesTime: false, time: LATE };
  const platform = { name: 'platform', newest: TOMORROW, time: TOMORROW };
  const without = await shown();
  expect(without).toMatchObject({ state, mends: [], solutions: [guestbook, { ...platform, movesTime: false }] });
  expect(without.time).toBe(without.clock);
  const by = await shown('--policy', 'trust.json');
  expect(by).toMatchObject({ time: TOMORROW, solutions: [guestbook, { ...platform, movesTime: true }] });
  const { stdout } = await trust('show', '--policy', 'trust.json');
  expect(stdout).toMatch(/guestbook +sequence 9 +newest 2155-12-31T00:00:00Z +is judged as if it were 2155/);
  expect(stdout).toMatch(
    /platform +no sequence +newest \S+ +advances the time for all\n +the time is \S+, as a Solution/,
  );
  expect((await solpack(['trust', 'show', '--trust-state', 'none'], { cwd })).stdout).toMatch(/^nothing is remembered/);
});

judged('what is remembered is mended once enough keys of the rotation have signed', ['openssl'], async () => {
  writeFileSync(
    join(cwd, 'mend.toml'),
    'type = "solpack-mend/v1"\n\n[[solutions]]\nname = "guestbook"\n' +
      'from = { sequence = 9, newest = 2155-12-31T00:00:00Z }\nto = { sequence = 3 }\n',
  );
  expect((await sign('first')).code).toBe(0);
  const few = await trust('mend', 'mend.toml', '--policy', 'trust.json');
  expect([few.code, few.stderr]).toEqual([3, expect.stringMatching(/1 of 2 keys.*\[mend-untrusted\]\n$/)]);
  expect((await sign('second')).code).toBe(0);
  const [line = ''] = readFileSync(join(cwd, 'mend.toml.sigstore.jsonl'), 'utf8').split('\n');
  writeFileSync(join(cwd, 'signature'), Buffer.from(JSON.parse(line).messageSignature.signature, 'base64'));
  const by = ['-sha256', '-verify', 'first.pub', '-signature', 'signature', 'mend.toml'];
  expect(await ok('openssl', ['dgst', ...by], { cwd })).toContain('Verified OK');
  const mended = await trust('mend', 'mend.toml', '--policy', 'trust.json', '--json');
  const result = JSON.parse(mended.stdout);
  expect(jsonSchemas.trust.strict().parse(result)).toEqual(result);
  expect(result).toMatchObject({ state, solutions: [{ name: 'guestbook', sequence: 3 }] });
  expect(result.signers.sort()).toEqual(keys.map(({ id }) => id).sort());
  expect(JSON.parse(readFileSync(memoryPathIn(state), 'utf8'))).toEqual({
    stateVersion: 2,
    solutions: { guestbook: { sequence: 3 }, platform: { newest: TOMORROW } },
    mends: [expect.stringMatching(/^sha256:/)],
  });
  expect((await trust('show')).stdout).toMatch(/mended by sha256:/);
});

test('a policy without rotation lets nobody mend', async () => {
  writePolicy(join(cwd, 'alone.json'), keys);
  const { code, stderr } = await trust('mend', 'mend.toml', '--policy', 'alone.json');
  expect([code, stderr]).toEqual([3, expect.stringMatching(/has no \[rotation\].*\[mend-untrusted\]/)]);
});

test.each([
  ['trust', 'show', 'file'],
  ['trust', 'show', '--key', 'first.key'],
  ['trust', 'mend', '--policy', 'trust.json'],
  ['trust', 'mend', 'mend.toml'],
  ['trust', 'mend', 'mend.toml', '--policy', 'trust.json', '--current', 'trust.json'],
  ['trust', 'sign', 'mend.toml', '--private-key', 'first.key', '--trust-state', 'state'],
])('what an action has no use for, or lacks, is reported: %s %s %s %s', async (...args) => {
  expect(await solpack(args, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('[usage-invalid]') });
});
