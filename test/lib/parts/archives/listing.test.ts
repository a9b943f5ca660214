import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { memory } from '../../../../formats/bytes.ts';
import { signatureReferrer } from '../../../../formats/sigstore/referrer.ts';
import { fillSlot } from '../../../../formats/sigstore/slot.ts';
import { signArchive, unsignArchive } from '../../../../lib/flows/sign/index.ts';
import { type Verification, verifyOpened } from '../../../../lib/flows/verify/index.ts';
import { copy as copyAll } from '../../../../lib/kernel/content/copy.ts';
import {
  type Archive,
  beginArchive,
  bundlesIn,
  carriers,
  openArchive,
  planArchive,
  slotStates,
} from '../../../../lib/parts/archives/index.ts';
import { DISK_SECTOR, type SectorFile } from '../../../../lib/parts/archives/sectors.ts';
import { changeSlot } from '../../../../lib/parts/archives/slots.ts';
import { generateKey, loadPrivateKey, type PrivateKey, trustInKeys } from '../../../../lib/parts/trust/index.ts';
import { smallSolution } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { openBytes } from '../../../support/in-memory.ts';
import { ok, scratch } from '../../../support/judges.ts';
import { signRoot } from '../../../support/sign-root.ts';

// A tar names its signatures in index.json, for tools that know OCI alone.

const folder = scratch('listing');
const plain = join(folder, 'plain.tar');
const keys: PrivateKey[] = [];

beforeAll(async () => {
  await smallSolution(folder);
  for (const name of ['first', 'second']) {
    writeFileSync(join(folder, `${name}.key`), generateKey('ed25519').privatePem);
    keys.push(await loadPrivateKey(join(folder, `${name}.key`)));
  }
  await packHere(join(folder, 'solution.toml'), plain);
});

function copy(name: string, from = plain): string {
  const path = join(folder, name);
  copyFileSync(from, path);
  return path;
}

function sign(archive: string, key: PrivateKey): Promise<unknown> {
  return signArchive({ archive, signer: key, verify: false, output: undefined }, testFlow());
}

async function verified(bytes: Buffer): Promise<Verification> {
  const trust = trustInKeys(
    keys.map((key) => key.public),
    0,
  );
  return verifyOpened(await openBytes(bytes), 'archive', trust, testFlow());
}

/** What an archive that must be right is signed by. */
async function signersOf(bytes: Buffer): Promise<readonly string[]> {
  const { findings, signers } = await verified(bytes);
  expect(findings.filter(({ code }) => code !== 'signature-untrusted')).toEqual([]);
  return signers;
}

const findingsIn = async (bytes: Buffer): Promise<string[]> =>
  (await verified(bytes)).findings.map(({ code, subject }) => `${code} ${subject}`);

/** The entries of `index.json` that are signatures, and whether all that an entry names is there. */
async function listedIn(bytes: Buffer): Promise<{ signatures: string[]; whole: boolean }> {
  const { tree, file } = await openBytes(bytes);
  const entry = (await tree.lookup('index.json'))!;
  const index = JSON.parse(Buffer.from(await file.read(entry.extents[0]!.offset, entry.size)).toString());
  const manifests: { digest: string; artifactType?: string }[] = index.manifests;
  const there = await Promise.all(manifests.map(({ digest }) => tree.lookup(`blobs/sha256/${digest.slice(7)}`)));
  const isSignature = ({ artifactType }: { artifactType?: string }): boolean =>
    artifactType === 'application/vnd.dev.sigstore.bundle.v0.3+json';
  return { signatures: manifests.filter(isSignature).map(({ digest }) => digest), whole: !there.includes(undefined) };
}

const digestOf = ({ catalog }: Archive, bundle: Uint8Array, slot: number): string =>
  signatureReferrer(bundle, catalog.root, slot).manifest.descriptor.digest;

/** A file in memory, written sector by sector, that fails at its `fault`th step, as a machine that loses power. */
function disk(before: Buffer, fault = Number.POSITIVE_INFINITY): SectorFile & { bytes: Buffer; steps: () => number } {
  const bytes = Buffer.from(before);
  let steps = 0;
  return {
    ...memory(bytes),
    bytes,
    steps: () => steps,
    write: async (part, offset) => {
      for (let at = 0; at < part.length; at += DISK_SECTOR) {
        if (steps >= fault) throw new Error('power');
        steps += 1;
        bytes.set(part.subarray(at, at + DISK_SECTOR), offset + at);
      }
    },
    sync: async () => undefined,
  };
}

describe('a signature of a tar', () => {
  test('is named by index.json with the digest that it has in registries', async () => {
    const path = copy('signed.tar');
    expect(await listedIn(readFileSync(path))).toEqual({ signatures: [], whole: true });
    for (const key of keys) await sign(path, key);
    await using archive = await openArchive(path);
    const bundles = await Promise.all(keys.map((key) => signRoot(archive.catalog.rootBytes, key)));
    const signatures = bundles.map((bundle, slot) => digestOf(archive, bundle, slot));
    expect(await listedIn(readFileSync(path))).toEqual({ signatures, whole: true });
    await unsignArchive({ archive: path, which: { slot: 0 } }, testFlow());
    expect(await listedIn(readFileSync(path))).toEqual({ signatures: signatures.slice(1), whole: true });
  });

  test.each(['put', 'removed', 'replaced'])(
    'that is %s is there or not, and listed only where it is, wherever the power fails; the next one mends the rest',
    async (how) => {
      const path = copy(`${how}.tar`);
      if (how !== 'put') await sign(path, keys[0]!);
      const before = readFileSync(path);
      await using archive = await openArchive(path);
      const [slot] = await slotStates(archive);
      const bundle =
        how === 'removed' ? undefined : await signRoot(archive.catalog.rootBytes, keys[how === 'put' ? 0 : 1]!);
      const change = (file: SectorFile): Promise<void> => changeSlot(archive, file, slot!, bundle);
      const whole = disk(before);
      await change(whole);
      const [old, now] = [await signersOf(before), await signersOf(whole.bytes)];
      expect((await listedIn(whole.bytes)).signatures).toHaveLength(now.length);
      expect(whole.steps()).toBeGreaterThan(20);
      for (let fault = 0; fault < whole.steps(); fault += 1) {
        const file = disk(before, fault);
        await expect(change(file)).rejects.toThrow('power');
        const signers = await signersOf(file.bytes);
        expect([old, now]).toContainEqual(signers);
        const { signatures, whole: there } = await listedIn(file.bytes);
        expect([signatures.length <= signers.length, there]).toEqual([true, true]);
        writeFileSync(path, file.bytes);
        await ok('tar', ['tf', path]);
        await using again = await openArchive(path);
        const [state] = await slotStates(again);
        const mended = disk(file.bytes);
        await changeSlot(again, mended, state!, bundle);
        expect(mended.bytes.equals(whole.bytes), `after step ${fault}`).toBe(true);
      }
    },
  );

  test('is another one where pack goes on, with the contents that were there', async () => {
    const output = join(folder, 'resumed.tar');
    await using archive = await openArchive(plain);
    const { catalog, source } = archive;
    const told: string[] = [];
    const begin = async (key: PrivateKey) =>
      beginArchive(output, catalog, carriers.tar, {
        bundles: [await signRoot(catalog.rootBytes, key)],
        resume: true,
        onNotice: (message) => told.push(message),
      });
    const signal = new AbortController().signal;
    const transfers = catalog.contents.map((descriptor) => ({ descriptor, source }));
    {
      await using left = await begin(keys[0]!);
      await copyAll([transfers.slice(0, 3)], left, { signal });
    }
    await using writer = await begin(keys[1]!);
    await copyAll([transfers], writer, { signal });
    await writer.commit();
    expect(told.at(-1)).toMatch(/^continues: 3 of/);
    const bytes = readFileSync(output);
    expect(await signersOf(bytes)).toEqual([keys[1]!.public.keyId]);
    expect((await listedIn(bytes)).signatures).toHaveLength(1);
  });

  test('that was not listed yet is listed by whoever signs or unsigns next', async () => {
    const path = copy('later.tar');
    await sign(path, keys[0]!);
    const signed = readFileSync(path);
    const unlisted = readFileSync(plain);
    await using archive = await openArchive(path);
    const places = ['.solpack/signatures/0.sigstore.json', '.solpack/attestations/provenance.sigstore.json'];
    for (const place of places) {
      const { offset, size } = (await archive.tree.lookup(place))!.extents[0]!;
      signed.copy(unlisted, offset, offset, offset + size);
    }
    expect(await signersOf(unlisted)).toEqual([keys[0]!.public.keyId]);
    expect((await listedIn(unlisted)).signatures).toEqual([]);
    writeFileSync(path, unlisted);
    await sign(path, keys[0]!);
    expect(readFileSync(path).equals(signed)).toBe(true);
    writeFileSync(path, unlisted);
    await unsignArchive({ archive: path, which: { slot: 5 } }, testFlow());
    expect(readFileSync(path).equals(signed)).toBe(true);
  });

  test('of what another program wrote anew is in its slot alone', async () => {
    const [here, files, order] = ['anew', 'anew/files', 'anew/order'].map((name) => join(folder, name));
    mkdirSync(files!, { recursive: true });
    await ok('tar', ['xf', plain, '-C', files!]);
    const names = (await ok('tar', ['tf', plain])).trim().split('\n');
    // In the same order, and in one where a file takes the place of another.
    for (const [at, list] of [names, names.toReversed()].entries()) {
      writeFileSync(order!, list.join('\n'));
      const path = join(here!, `${at}.tar`);
      await ok('tar', ['cf', path, '--format=ustar', '-C', files!, '-T', order!]);
      const before = readFileSync(path);
      await sign(path, keys[0]!);
      const after = readFileSync(path);
      expect(await listedIn(after)).toEqual({ signatures: [], whole: true });
      await using archive = await openArchive(path);
      for (const place of ['signatures/0', 'attestations/provenance']) {
        const entry = await archive.tree.lookup(`.solpack/${place}.sigstore.json`);
        const { offset, size } = entry!.extents[0]!;
        before.copy(after, offset, offset, offset + size);
      }
      expect(after.equals(before)).toBe(true);
    }
  });

  test('that is in two slots is listed for the first one', async () => {
    const path = copy('twice.tar');
    await sign(path, keys[0]!);
    await using archive = await openArchive(path);
    const [first, second] = await slotStates(archive);
    const bundle = await signRoot(archive.catalog.rootBytes, keys[0]!);
    const file = disk(readFileSync(path));
    await changeSlot(archive, file, second!, bundle);
    expect((await listedIn(file.bytes)).signatures).toEqual([digestOf(archive, bundle, 0)]);
    expect(await findingsIn(file.bytes)).toEqual([]);
    await changeSlot(archive, file, first!, undefined);
    expect((await listedIn(file.bytes)).signatures).toEqual([digestOf(archive, bundle, 1)]);
    expect(await signersOf(file.bytes)).toEqual([keys[0]!.public.keyId]);
  });
});

describe('what a tar lists beside its slots', () => {
  /** A tar that the first key has signed, and its bytes with `content` in the first slot instead. */
  const unlike = async (
    content: (archive: Archive) => Uint8Array | Promise<Uint8Array>,
  ): Promise<{ path: string; bytes: Buffer }> => {
    const path = copy('unlike.tar');
    await sign(path, keys[0]!);
    const bytes = readFileSync(path);
    await using archive = await openArchive(path);
    const { offset, size } = (await archive.tree.lookup('.solpack/signatures/0.sigstore.json'))!.extents[0]!;
    const slot = await content(archive);
    bytes.fill('\n', offset, offset + size).set(slot, offset);
    writeFileSync(path, bytes);
    return { path, bytes };
  };

  test('is found where the slot has another signature, or none, and mended', async () => {
    const other = await unlike(({ catalog }) => signRoot(catalog.rootBytes, keys[1]!));
    expect(await findingsIn(other.bytes)).toEqual(['signature-invalid slot 0']);
    await sign(other.path, keys[1]!);
    expect(await signersOf(readFileSync(other.path))).toEqual([keys[1]!.public.keyId]);
    const none = await unlike(() => new Uint8Array());
    expect(await findingsIn(none.bytes)).toEqual(['signature-invalid slot 0', expect.stringMatching('untrusted')]);
    await unsignArchive({ archive: none.path, which: 'all' }, testFlow());
    expect(readFileSync(none.path).equals(readFileSync(plain))).toBe(true);
  });

  test('is a signature that is reported once where its slot is damaged', async () => {
    const { bytes } = await unlike(() => Buffer.from('{"half of'));
    expect(await findingsIn(bytes)).toEqual(['signature-invalid slot 0', expect.stringMatching('untrusted')]);
  });

  test('is found where it is any other bytes, in the room of a signature or in its entry', async () => {
    for (const signed of [true, false]) {
      const path = copy('bytes.tar');
      if (signed) await sign(path, keys[0]!);
      const good = readFileSync(path);
      await using archive = await openArchive(path);
      const room = (await archive.tree.lookup('.solpack/referrers/0'))!.extents[0]!;
      const index = (await archive.tree.lookup('index.json'))!.extents[0]!;
      const sectors = index.offset + index.size - 2 - 8 * DISK_SECTOR;
      for (const at of [room.offset, room.offset + room.size - 1, sectors, sectors + 300, sectors + 7 * DISK_SECTOR]) {
        const bytes = Buffer.from(good);
        bytes[at]! ^= 1;
        expect(await findingsIn(bytes), `${at}`).toContainEqual(expect.stringMatching('structure-mismatch'));
      }
    }
  });

  test('is nothing that is too long for a slot as the root has it', async () => {
    const path = copy('small.tar');
    await sign(path, keys[0]!);
    await using archive = await openArchive(path);
    const { metadata } = archive.catalog;
    const [bundle] = bundlesIn(await archive.slots());
    for (const size of [0, 1, bundle!.length, bundle!.length + 1]) {
      const catalog = { ...archive.catalog, metadata: { ...metadata, signatureSlots: { count: 8, size } } };
      const paths = (listed: boolean): string[] =>
        planArchive(catalog, carriers.tar, [{ bundle: bundle!, listed }]).files.map((file) => file.path);
      expect(paths(true).length - paths(false).length).toBe(size > bundle!.length ? 2 : 0);
    }
  });

  test('is no blob that the archive has for something else', async () => {
    const path = copy('blob.tar');
    await using archive = await openArchive(path);
    const [slot] = await slotStates(archive);
    const file = disk(readFileSync(path));
    const config = archive.catalog.manifests.flatMap(({ value }) =>
      value.kind === 'manifest' ? [value.config] : [],
    )[0]!;
    const blob = await archive.content(config);
    const bytes = await blob.read(0, blob.size);
    expect(() => fillSlot(bytes, 8192)).not.toThrow();
    await changeSlot(archive, file, slot!, bytes);
    expect((await listedIn(file.bytes)).signatures).toEqual([]);
    expect(await findingsIn(file.bytes)).toEqual(['signature-invalid slot 0', expect.stringMatching('untrusted')]);
  });
});
