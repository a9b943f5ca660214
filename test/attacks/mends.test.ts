import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryPathIn, setMemory } from '../support/memory.ts';
import { writePolicy } from '../support/policies.ts';
import { PATIENCE } from './attack.ts';
import { signedIn } from './slots.ts';
import { codeOf, expectPlain, setStage } from './stage.ts';
import { rowOf } from './table.ts';

// Attacks on what a node remembers, and on the policy that it follows: both stay as they are.

const stage = setStage('mends');
const { release, security } = stage.keys;
const at = (name: string): string => join(stage.folder, name);
const POISON = { sequence: 9, newest: 5869583999 };
const both = { rotation: { keys: [release.id, security.id], threshold: 2 } };
const state = ['--trust-state', 'state'];
const apply = ['trust', 'mend', 'mend.json', '--policy', 'trust.json', ...state];
const accept = ['trust', 'accept', 'next.json', '--current', 'trust.json', ...state];

beforeEach(() => {
  for (const name of ['mend.json', 'next.json']) rmSync(at(`${name}.sigstore.jsonl`), { force: true });
  setMemory(at('state'), { hello: POISON });
  writePolicy(at('trust.json'), [release, security], both);
  writePolicy(at('next.json'), [release, security], { ...both, version: 2 });
  writeMend({ from: POISON });
});

afterEach(() => vi.useRealTimers());

/** A mend that sets the sequence of `hello` back to 3. */
function writeMend({ from }: { readonly from: { readonly sequence: number; readonly newest: number } }): void {
  const { sequence, newest } = from;
  const date = new Date(1000 * newest).toISOString();
  const solutions = [{ name: 'hello', from: { sequence, newest: date }, to: { sequence: 3 } }];
  writeFileSync(at('mend.json'), JSON.stringify({ type: 'solpack-mend/v1', solutions }));
}

async function sign(file: string, ...keys: readonly ('release' | 'security')[]): Promise<void> {
  for (const key of keys) {
    expect(await stage.run('trust', 'sign', file, '--private-key', `${key}.key`)).toMatchObject({ code: 0 });
  }
}

/** An attack after which a command has to be refused as its row says, and nothing is another than before. */
function refused(attack: string, args: readonly string[], prepare: () => Promise<void>): void {
  const { codes, exit } = rowOf(attack);
  test(
    `${attack}: ${codes.join(', ')}, exit status ${exit}`,
    async () => {
      await prepare();
      const kept = [memoryPathIn(at('state')), at('trust.json')];
      const before = kept.map((path) => readFileSync(path, 'utf8'));
      const outcome = await stage.run(...args);
      expectPlain(outcome);
      expect([outcome.code, outcome.stdout, [codeOf(outcome)]]).toEqual([exit, '', codes]);
      expect(kept.map((path) => readFileSync(path, 'utf8'))).toEqual(before);
    },
    PATIENCE,
  );
}

refused('a mend that too few have signed', apply, () => sign('mend.json', 'release'));

refused('the signature of a policy as one of a mend', apply, async () => {
  await sign('next.json', 'release', 'security');
  writeFileSync(at('mend.json.sigstore.jsonl'), readFileSync(at('next.json.sigstore.jsonl')));
});

refused('the signature of a mend as one of a policy', accept, async () => {
  await sign('mend.json', 'release', 'security');
  writeFileSync(at('next.json.sigstore.jsonl'), readFileSync(at('mend.json.sigstore.jsonl')));
});

refused('the signature of a root as one of a mend', apply, async () => {
  await sign('mend.json', 'security');
  const { bundle } = await signedIn(stage, stage.bytes('iso'), 'iso');
  const lines = readFileSync(at('mend.json.sigstore.jsonl'), 'utf8');
  writeFileSync(at('mend.json.sigstore.jsonl'), `${lines}${JSON.stringify(bundle)}\n`);
});

refused('a mend in the place of a policy', accept, async () => {
  await sign('mend.json', 'release', 'security');
  for (const end of ['', '.sigstore.jsonl']) writeFileSync(at(`next.json${end}`), readFileSync(at(`mend.json${end}`)));
});

refused('a policy in the place of a mend', apply, async () => {
  await sign('next.json', 'release', 'security');
  for (const end of ['', '.sigstore.jsonl']) writeFileSync(at(`mend.json${end}`), readFileSync(at(`next.json${end}`)));
});

refused('a mend of something else than what is remembered', apply, async () => {
  writeMend({ from: { ...POISON, sequence: 8 } });
  await sign('mend.json', 'release', 'security');
});

refused('a mend that was applied before', apply, async () => {
  await sign('mend.json', 'release', 'security');
  expect(await stage.run(...apply)).toMatchObject({ code: 0 });
  const { mends } = JSON.parse(readFileSync(memoryPathIn(at('state')), 'utf8'));
  // What it replaced is there once more: the release that it was about is installed.
  setMemory(at('state'), { hello: POISON }, mends);
});

/** Rotation keys that have expired, a clock before that, and a Solution that advances the time for all beyond it. */
async function turnBack(): Promise<void> {
  setMemory(at('state'), { hello: POISON, platform: { newest: Date.UTC(2026, 5, 1) / 1000 } });
  const keys = [release, security].map(({ id, pem }) => ({ id, pem, notAfter: '2026-01-01T00:00:00Z' }));
  const policies = [{ match: 'platform', keys: [security.id], movesTime: true }];
  writePolicy(at('trust.json'), [], { ...both, keys, policies });
  await sign('mend.json', 'release', 'security');
  await sign('next.json', 'release', 'security');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2025, 5, 1) });
}

refused('a mend by keys that have expired, under a clock that was turned back', apply, turnBack);
refused('a policy by keys that have expired, under a clock that was turned back', accept, turnBack);

test('without that Solution both are taken: it is what tells the time', async () => {
  await turnBack();
  setMemory(at('state'), { hello: POISON });
  expect([(await stage.run(...apply)).code, (await stage.run(...accept)).code]).toEqual([0, 0]);
});
