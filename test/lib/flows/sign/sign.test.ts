import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '../../../../lib/flows/inspect/index.ts';
import { signArchive, unsignArchive } from '../../../../lib/flows/sign/index.ts';
import { verify } from '../../../../lib/flows/verify/index.ts';
import { carriers, openArchive } from '../../../../lib/parts/archives/index.ts';
import { generateKey, loadPrivateKey, type PrivateKey, trustInKeys } from '../../../../lib/parts/trust/index.ts';
import { smallSolution } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('sign');
const keys: PrivateKey[] = [];

beforeAll(async () => {
  await smallSolution(folder);
  for (let number = 0; number < 9; number += 1) {
    const path = join(folder, `${number}.key`);
    writeFileSync(path, generateKey(number % 2 ? 'ed25519' : 'ecdsa-p256-sha256').privatePem);
    keys.push(await loadPrivateKey(path));
  }
  for (const { extension } of Object.values(carriers)) {
    await packHere(join(folder, 'solution.toml'), join(folder, `plain${extension}`));
  }
});

describe.each(Object.values(carriers).map((carrier) => [carrier.title, carrier] as const))('%s', (_, carrier) => {
  const { extension } = carrier;
  const plain = (): string => join(folder, `plain${extension}`);
  const copy = (name: string): string => {
    const path = join(folder, `${name}${extension}`);
    copyFileSync(plain(), path);
    return path;
  };
  const sign = (archive: string, signer: PrivateKey, more: { output?: string; verify?: boolean } = {}) =>
    signArchive({ archive, signer, output: more.output, verify: more.verify ?? false }, testFlow());
  const unsign = (archive: string, which: Parameters<typeof unsignArchive>[0]['which']) =>
    unsignArchive({ archive, which }, testFlow());
  const isOk = async (archive: string, ...signers: PrivateKey[]): Promise<readonly string[]> => {
    const result = await verify(
      {
        archive,
        trust: trustInKeys(
          signers.map((key) => key.public),
          0,
        ),
      },
      testFlow(),
    );
    expect(result.findings).toEqual([]);
    return result.signers;
  };
  /** Where the slots lie, that of the one attestation last: offset and size, in bytes. */
  const slotsOf = async (path: string): Promise<{ offset: number; size: number }[]> => {
    await using archive = await openArchive(path);
    const signatures = Array.from({ length: 8 }, (_, number) => `.solpack/signatures/${number}.sigstore.json`);
    const paths = [...signatures, '.solpack/attestations/provenance.sigstore.json'];
    return await Promise.all(paths.map(async (slot) => (await archive.tree.lookup(slot))!.extents[0]!));
  };

  /** Where entries of `index.json` lie, and what they name, before anybody has signed. */
  const listingIn = async (path: string): Promise<{ offset: number; size: number }[]> => {
    await using archive = await openArchive(path);
    const rooms = Array.from({ length: 8 }, (_, number) => `.solpack/referrers/${number}`);
    const extents = ['index.json', ...rooms].map(async (file) => (await archive.tree.lookup(file))!.extents[0]!);
    return (await Promise.all(extents)).map(({ offset, size }) => ({ offset: offset - 512, size: size + 512 }));
  };

  test('is signed in slots, at the start of a sector, and no byte changes but those and what lists them', async () => {
    const path = copy('one');
    expect(await sign(path, keys[0]!)).toMatchObject({ slot: 0, already: false, keyId: keys[0]!.public.keyId });
    const [before, after] = [readFileSync(plain()), readFileSync(path)];
    const slots = await slotsOf(path);
    for (const { offset, size } of [slots[0]!, slots[8]!]) {
      expect(offset % 512).toBe(0);
      expect(after.subarray(offset, offset + size).equals(before.subarray(offset, offset + size))).toBe(false);
      after.fill('\n', offset, offset + size);
    }
    for (const { offset, size } of carrier.listsSignatures ? await listingIn(plain()) : []) {
      for (const bytes of [before, after]) bytes.fill(0, offset, offset + size);
    }
    expect(after.equals(before)).toBe(true);
    expect(await isOk(path, keys[0]!)).toEqual([keys[0]!.public.keyId]);
  });

  test('has several signers, and says so where it is full', async () => {
    const path = copy('many');
    for (const [slot, key] of keys.slice(0, 8).entries()) expect(await sign(path, key)).toMatchObject({ slot });
    expect(await isOk(path, ...keys.slice(0, 8))).toHaveLength(8);
    expect((await inspect(path, testFlow())).signatures.map(({ algorithm }) => algorithm)).toEqual(
      Array.from({ length: 4 }, () => ['ecdsa-p256-sha256', 'ed25519']).flat(),
    );
    const full = readFileSync(path);
    await expect(sign(path, keys[8]!)).rejects.toMatchObject({ code: 'signature-slots-full' });
    expect(readFileSync(path).equals(full)).toBe(true);
    await unsign(path, { keyId: keys[3]!.public.keyId });
    expect(await sign(path, keys[8]!)).toMatchObject({ slot: 3 });
  });

  test('that a key has signed already is reported, and stays as it is', async () => {
    const path = copy('twice');
    await sign(path, keys[0]!);
    await sign(path, keys[1]!);
    const before = readFileSync(path);
    expect(await sign(path, keys[0]!)).toMatchObject({ slot: 0, already: true });
    expect(await sign(path, keys[1]!)).toMatchObject({ slot: 1, already: true });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('with half a signature in a slot says so, and is healed by whoever signs next', async () => {
    const path = copy('healed');
    await sign(path, keys[0]!);
    const bytes = readFileSync(path);
    const { offset } = (await slotsOf(path))[0]!;
    bytes.fill('\n', offset + 100, offset + 600);
    writeFileSync(path, bytes);
    const damaged = await verify({ archive: path, trust: trustInKeys([keys[0]!.public], 0) }, testFlow());
    expect(damaged.findings.map(({ code }) => code)).toEqual(['signature-invalid', 'signature-untrusted']);
    expect(await sign(path, keys[0]!, { verify: true })).toMatchObject({ slot: 0, already: false });
    expect(await isOk(path, keys[0]!)).toEqual([keys[0]!.public.keyId]);
    writeFileSync(path, bytes);
    expect(await sign(path, keys[1]!)).toMatchObject({ slot: 0 });
    expect(await isOk(path, keys[1]!)).toEqual([keys[1]!.public.keyId]);
  });

  test('with its slots emptied is byte for byte what was packed without a key', async () => {
    const path = copy('emptied');
    for (const key of keys.slice(0, 8)) await sign(path, key);
    const signed = await unsign(path, { slot: 2 });
    expect(signed.emptied).toEqual([{ slot: 2, keyId: keys[2]!.public.keyId }]);
    expect((await unsign(path, { keyId: keys[5]!.public.keyId })).emptied.map(({ slot }) => slot)).toEqual([5]);
    expect((await unsign(path, 'all')).emptied.map(({ slot }) => slot)).toEqual([0, 1, 3, 4, 6, 7]);
    expect(readFileSync(path).equals(readFileSync(plain()))).toBe(true);
    expect((await unsign(path, 'all')).emptied).toEqual([]);
    await expect(unsign(path, { slot: 8 })).rejects.toMatchObject({ code: 'usage-invalid' });
    const packed = join(folder, `signed${extension}`);
    await packHere(join(folder, 'solution.toml'), packed, { sign: keys[0]! });
    await unsign(packed, 'all');
    expect(readFileSync(packed).equals(readFileSync(plain()))).toBe(true);
  });

  test('has junk in a slot emptied as well', async () => {
    const path = copy('junk');
    const bytes = readFileSync(path);
    const { offset, size } = (await slotsOf(path))[4]!;
    bytes.fill(0x80, offset, offset + size);
    writeFileSync(path, bytes);
    expect((await unsign(path, 'all')).emptied).toEqual([{ slot: 4, keyId: undefined }]);
    expect(readFileSync(path).equals(readFileSync(plain()))).toBe(true);
  });

  test('is signed in a file of its own, which counts like a slot', async () => {
    const path = copy('detached');
    const output = join(folder, `detached${extension}.json`);
    expect(await sign(path, keys[0]!, { output })).toMatchObject({ slot: undefined });
    expect(readFileSync(path).equals(readFileSync(plain()))).toBe(true);
    const judge = (bytes: Uint8Array, key: PrivateKey) =>
      verify({ archive: path, trust: trustInKeys([key.public], 0), bundles: [{ name: 'b.json', bytes }] }, testFlow());
    expect(await judge(readFileSync(output), keys[0]!)).toMatchObject({ ok: true, trusted: true });
    expect(await judge(readFileSync(output), keys[1]!)).toMatchObject({ ok: false, trusted: false });
    expect(await judge(Buffer.from('{}'), keys[0]!)).toMatchObject({
      trusted: false,
      findings: [{ code: 'signature-invalid', subject: 'b.json' }, { code: 'signature-untrusted' }],
    });
  });

  test('with damaged content is signed unless every byte is to be checked before', async () => {
    const path = copy('damaged');
    const bytes = readFileSync(path);
    bytes[bytes.lastIndexOf('kind: Pod')]! ^= 1;
    writeFileSync(path, bytes);
    await expect(sign(path, keys[0]!, { verify: true })).rejects.toMatchObject({ code: 'verification-failed' });
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(await sign(path, keys[0]!)).toMatchObject({ slot: 0 });
  });

  test('that was replaced between being read and being signed is left alone', async () => {
    const path = copy('replaced');
    const other = Buffer.alloc(readFileSync(path).length, 7);
    const signer = {
      public: keys[0]!.public,
      command: `cat >/dev/null; cp '${join(folder, 'other')}' '${path}'; cat '${join(folder, 'signature')}'`,
      cwd: folder,
      env: { PATH: '/usr/bin:/bin' },
    };
    writeFileSync(join(folder, 'other'), other);
    const output = join(folder, 'replaced.json');
    await sign(path, keys[0]!, { output });
    const { signature } = JSON.parse(readFileSync(output, 'utf8')).messageSignature;
    writeFileSync(join(folder, 'signature'), Buffer.from(signature, 'base64'));
    await expect(
      signArchive({ archive: path, signer, output: undefined, verify: false }, testFlow()),
    ).rejects.toMatchObject({
      code: 'archive-invalid',
      message: 'was changed by another process in the meantime',
    });
    expect(readFileSync(path).equals(other)).toBe(true);
  });
});
