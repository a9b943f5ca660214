import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { signDocument } from '../../../../lib/parts/trust/documents.ts';
import { loadPrivateKey } from '../../../../lib/parts/trust/index.ts';
import { type Memory, noMemory } from '../../../../lib/parts/trust/memory.ts';
import { acceptPolicy, type Rotation } from '../../../../lib/parts/trust/rotation.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, ok, run, scratch } from '../../../support/judges.ts';
import { makeKey, type TestKey, writePolicy } from '../../../support/policies.ts';

const folder = scratch('rotation');
const [a, b, c] = ['a', 'b', 'c'].map((name) => makeKey(folder, name)) as [TestKey, TestKey, TestKey];
const [current, next] = [join(folder, 'trust.json'), join(folder, 'next.json')];
const NOW = 1_800_000_000;

const by = (keys: readonly TestKey[], threshold: number, more: Readonly<Record<string, unknown>> = {}) => ({
  rotation: { keys: keys.map(({ id }) => id), threshold },
  ...more,
});
const sign = async (...keys: readonly TestKey[]): Promise<void> => {
  for (const { name } of keys) await signDocument(next, await loadPrivateKey(join(folder, `${name}.key`)), testFlow());
};
const accept = (memory: Memory = noMemory): Promise<Rotation> => acceptPolicy({ current, next, clock: NOW, memory });

/** Version 1 may be followed by the word of `a` and `b`, version 2 by that of `b` and `c`. */
beforeEach(() => {
  rmSync(`${next}.sigstore.jsonl`, { force: true });
  writePolicy(current, [a, b], by([a, b], 2));
  writePolicy(next, [b, c], by([b, c], 2, { version: 2 }));
});

describe('the next version of a policy', () => {
  test('takes the place of the current one, byte for byte, once enough keys of both have signed it', async () => {
    await sign(a, b, c);
    expect(await accept()).toEqual({ path: current, version: 2, signers: [a.id, b.id, c.id] });
    expect(readFileSync(current)).toEqual(readFileSync(next));
    await expect(accept()).rejects.toMatchObject({ code: 'policy-untrusted', exit: 3 });
  });

  test.each<[string, readonly TestKey[], string]>([
    ['nobody has signed', [], 'signed by 0 of 2 keys that version 1 requires'],
    ['one key too few of the current version has signed', [b, c], 'signed by 1 of 2 keys that version 1 requires'],
    ['one key too few of its own has signed', [a, b], 'signed by 1 of 2 keys that version 2 requires'],
    ['one key has signed again and again', [b, b, b], 'signed by 1 of 2 keys that version 1 requires'],
  ])('is refused where %s', async (_, keys, words) => {
    const before = readFileSync(current);
    await sign(...keys);
    await expect(accept()).rejects.toMatchObject({ code: 'policy-untrusted', message: expect.stringContaining(words) });
    expect(readFileSync(current)).toEqual(before);
  });

  test('is refused where one signature is there twice, as another line', async () => {
    await sign(a);
    appendFileSync(`${next}.sigstore.jsonl`, readFileSync(`${next}.sigstore.jsonl`));
    await expect(accept()).rejects.toMatchObject({ message: expect.stringContaining('1 of 2 keys') });
  });

  test.each([1, 3])('is refused where it is not one more than the current one: %d', async (version) => {
    writePolicy(next, [b, c], by([b, c], 2, { version }));
    await sign(a, b, c);
    await expect(accept()).rejects.toMatchObject({ message: expect.stringContaining('the one after 1 is needed') });
  });

  test('is refused where it was changed after it was signed', async () => {
    await sign(a, b, c);
    writePolicy(next, [b, c], by([b, c], 1, { version: 2 }));
    await expect(accept()).rejects.toMatchObject({ message: expect.stringContaining('it signs another root') });
    await sign(a, b, c);
    expect(await accept()).toMatchObject({ version: 2 });
  });

  test.each([
    ['revoked', { status: 'revoked' }],
    ['retired', { status: 'retired', notAfter: '2100-01-01T00:00:00Z' }],
    ['not valid any longer', { notAfter: '2001-01-01T00:00:00Z' }],
    ['not valid yet', { notBefore: '2100-01-01T00:00:00Z' }],
  ])('is refused where a key that has to have signed is %s', async (_, state) => {
    const keys = [
      { id: a.id, pem: a.pem, ...state },
      { id: b.id, pem: b.pem },
    ];
    writePolicy(current, [a, b], by([a, b], 2, { keys }));
    await sign(a, b, c);
    await expect(accept()).rejects.toMatchObject({ message: expect.stringContaining('1 of 2 keys that version 1') });
  });

  test('is refused where its keys have expired by the date of what advances the time for all, whatever the clock says', async () => {
    const keys = [a, b].map(({ id, pem }) => ({ id, pem, notAfter: new Date(1000 * (NOW + 9)).toISOString() }));
    const policies = [{ match: 'platform', keys: [a.id], movesTime: true }];
    writePolicy(current, [a, b], by([a, b], 2, { keys, policies }));
    await sign(a, b, c);
    const seen = (name: string): Memory => ({ ...noMemory, solutions: new Map([[name, { newest: NOW + 10 }]]) });
    await expect(accept(seen('platform'))).rejects.toMatchObject({ code: 'policy-untrusted' });
    expect(await accept(seen('other'))).toMatchObject({ version: 2 });
  });

  test('is refused where the current one, or it itself, says nothing of who may follow', async () => {
    writePolicy(next, [b, c], { version: 2 });
    await sign(a, b, c);
    await expect(accept()).rejects.toMatchObject({ message: expect.stringContaining('version 2 has no [rotation]') });
    writePolicy(current, [a, b]);
    await expect(accept()).rejects.toMatchObject({ message: expect.stringContaining('version 1 has no [rotation]') });
  });

  test('is refused where its keys are elsewhere, and cannot be signed then', async () => {
    writePolicy(next, [b], by([b], 1, { version: 2, keys: [{ id: b.id, file: 'b.pub' }] }));
    await expect(sign(a)).rejects.toMatchObject({ code: 'policy-invalid' });
    await expect(accept()).rejects.toMatchObject({ code: 'policy-invalid' });
  });

  test('is refused where its signatures are no bundles', async () => {
    writeFileSync(`${next}.sigstore.jsonl`, 'not\n{"a":1}\n');
    await expect(accept()).rejects.toMatchObject({
      code: 'policy-untrusted',
      message: expect.stringContaining('sigstore.jsonl:1'),
    });
  });

  judged('has signatures that openssl can check by hand', ['openssl'], async () => {
    await sign(a);
    const bundle = JSON.parse(readFileSync(`${next}.sigstore.jsonl`, 'utf8'));
    writeFileSync(join(folder, 'signature'), Buffer.from(bundle.messageSignature.signature, 'base64'));
    const args = ['dgst', '-sha256', '-verify', join(folder, 'a.pub'), '-signature', join(folder, 'signature')];
    expect(await ok('openssl', [...args, next])).toContain('Verified OK');
    copyFileSync(next, `${next}.other`);
    appendFileSync(`${next}.other`, ' ');
    expect((await run('openssl', [...args, `${next}.other`])).code).not.toBe(0);
  });
});
