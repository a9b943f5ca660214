import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMemory, remember } from '../../../../lib/parts/trust/memory.ts';
import { loadPolicy } from '../../../../lib/parts/trust/policy.ts';
import { scratch } from '../../../support/judges.ts';
import { makeKey, writePolicy } from '../../../support/policies.ts';

const folder = scratch('policies');
const [first, second] = [makeKey(folder, 'first'), makeKey(folder, 'second')];
const path = join(folder, 'trust.json');
const rule = { policies: [{ match: '*', keys: [first.id] }] };

describe('the keys of a policy', () => {
  test.each([
    ['by their PEM', { pem: first.pem }],
    ['by files beside it', { file: 'first.pub' }],
  ])('are found %s', async (_, entry) => {
    const { keys, version } = await loadPolicy(
      writePolicy(path, [first], { ...rule, keys: [{ id: first.id, ...entry }] }),
    );
    expect([version, [...keys.keys()], keys.get(first.id)!.key.keyId]).toEqual([1, [first.id], first.id]);
  });

  test.each([
    ['that has another id', { pem: second.pem }, 'policy-invalid'],
    ['in a file that is not there', { file: 'gone.pub' }, 'file-missing'],
    ['whose file is a private one', { file: 'first.key' }, 'key-invalid'],
    ['whose PEM is a private one', { pem: readFileSync(join(folder, 'first.key'), 'utf8') }, 'key-invalid'],
    ['that is no PEM', { pem: 'nothing' }, 'key-invalid'],
    ['that is damaged', { pem: first.pem.replace(/\n[A-Za-z0-9+/]{10}/, '\n') }, 'key-invalid'],
  ])('are refused where there is one %s', async (_, entry, code) => {
    writePolicy(path, [first], { ...rule, keys: [{ id: first.id, ...entry }] });
    await expect(loadPolicy(path)).rejects.toMatchObject({ code });
  });

  test('are refused where the policy is larger than one can be', async () => {
    writeFileSync(path, Buffer.alloc(256 * 1024 + 1, 0x20));
    await expect(loadPolicy(path)).rejects.toMatchObject({ code: 'file-unreadable' });
  });
});

describe('what is remembered', () => {
  const solution = { name: 'hello', sequence: 2, created: 100 };

  test('is nothing at first, only ever rises, and is the same however it came', async () => {
    const state = join(folder, 'state/trust');
    expect((await readMemory(state)).solutions.size).toBe(0);
    await remember(state, [solution, { ...solution, name: 'other', sequence: 7, created: 300 }]);
    await remember(state, [{ ...solution, sequence: 1, created: 400 }]);
    expect([...(await readMemory(state)).solutions]).toEqual([
      ['hello', { sequence: 2, newest: 400 }],
      ['other', { sequence: 7, newest: 300 }],
    ]);
  });

  test('is not written where nothing depends on it', async () => {
    const state = join(folder, 'nothing');
    await remember(state, [{ ...solution, sequence: undefined, created: undefined }]);
    await expect(async () => readFileSync(join(state, 'memory.json'))).rejects.toMatchObject({ code: 'ENOENT' });
    await remember(state, [{ ...solution, sequence: undefined }]);
    expect((await readMemory(state)).solutions.get('hello')).toEqual({ newest: 100 });
  });

  test.each([
    '',
    '{}',
    '{"stateVersion":3,"solutions":{}}',
    '{"stateVersion":2,"sequences":{}}',
    '{"stateVersion":2,"solutions":{"a":{"sequence":1,"other":1}}}',
    '{"stateVersion":2,"solutions":{},"mends":["x"]}',
    '{"stateVersion":1,"sequences":{"A":1}}',
    '{"stateVersion":1,"newest":1e300,"sequences":{}}',
    '{"stateVersion":1,"sequences":{"a":0}}',
  ])('is not guessed where it cannot be read: %s', async (text) => {
    const state = join(folder, 'broken');
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'memory.json'), text);
    await expect(readMemory(state)).rejects.toMatchObject({ code: 'trust-state-invalid', exit: 3 });
    await expect(remember(state, [solution])).rejects.toMatchObject({ code: 'trust-state-invalid' });
  });
});
