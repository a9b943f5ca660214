import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Segment } from '../../formats/segments.ts';
import { compareSegments } from '../../lib/flows/verify/compare.ts';
import { verifyOpened } from '../../lib/flows/verify/index.ts';
import {
  type CarrierFile,
  type CarrierKind,
  type Catalog,
  carrierSource,
  carriers,
  listedSignatures,
  type OpenedCarrier,
  planArchive,
  readAttestationSlot,
  readCatalog,
  readRoot,
  readSlots,
} from '../../lib/parts/archives/index.ts';
import type { Planned } from '../../lib/parts/archives/plan.ts';
import {
  generateKey,
  judgeSignatures,
  loadPrivateKey,
  loadPublicKey,
  type PublicKey,
  trustInKeys,
} from '../../lib/parts/trust/index.ts';
import { type BundleOf, checkAttestations } from '../../lib/shared/solutions/attestations/check-attestations.ts';
import { smallSolution, writeFiles } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import { openBytes } from '../support/in-memory.ts';
import { scratch } from '../support/judges.ts';
import { chance, isExhaustive, seed } from '../support/sample.ts';

/**
 * How many bytes lie between two that `verify` as a whole is asked about, to see that it says what its parts say: a
 * prime, so that they lie at all places of sectors.
 */
const WHOLE = 997;

const { signal } = new AbortController();

/** A small signed archive, and what its bytes lead to as long as none of them is changed. */
interface Known {
  readonly kind: CarrierKind;
  readonly bytes: Buffer;
  readonly opened: OpenedCarrier;
  readonly catalog: Catalog;
  readonly planned: Planned;
  readonly key: PublicKey;
}

/** One byte in so many is changed, unless the run is exhaustive. */
const ONE_IN = 8;

/** How many bytes were changed, and how many of these changes nobody is to mind. */
export interface Counts {
  readonly found: number;
  readonly exempt: number;
}

/**
 * Changes bytes of a small signed archive, one at a time, and expects that it is found: each of them if the run is
 * exhaustive, else a sample, and all of signatures. `verify` reads the root; what that leads to, it knows by digests;
 * then it compares the pieces that this makes, each by itself, and judges the slots, each by itself. So what is asked
 * here is whether the piece, or the slot, that the byte lies in is found to be another one, and whether the root is the
 * same. Where it is not, and now and then, all of `verify` is asked.
 */
export async function changeBytes(kind: CarrierKind): Promise<Counts> {
  const known = await archiveOf(kind);
  const { bytes, planned } = known;
  const counts = { found: 0, exempt: 0 };
  const random = chance(seed);
  let left = 0;
  expect(await isFoundByAll(known)).toBe(false);
  for (const segment of planned.layout.segments) {
    const check = await checkOf(known, segment);
    for (let at = segment.offset; at < segment.offset + segment.size; at += 1) {
      // The runner of tests takes a worker for dead that says nothing for a minute.
      if (at % WHOLE === 0) await nextTurn();
      const isExempt = carriers[kind].exempt.some(({ offset, size }) => at >= offset && at < offset + size);
      const good = bytes[at]!;
      const bits = check.bits(good, at);
      // Bytes of signatures are changed in every run, bit by bit.
      if (!isExhaustive && !isExempt && bits.length === 1 && random() >= 1 / ONE_IN) {
        left += 1;
        continue;
      }
      for (const bit of bits) {
        bytes[at] = good ^ (1 << bit);
        if ((await check.finds()) === isExempt) expect.unreachable(`bit ${bit} of byte ${at} in ${check.name}`);
        if (at % WHOLE === 0) expect(await isFoundByAll(known), `byte ${at}`).toBe(!isExempt);
      }
      bytes[at] = good;
      counts[isExempt ? 'exempt' : 'found'] += 1;
    }
  }
  expect(counts.found + counts.exempt + left).toBe(bytes.length);
  expect(await isFoundByAll(known)).toBe(false);
  return counts;
}

async function archiveOf(kind: CarrierKind): Promise<Known> {
  const folder = scratch(`every-byte-${kind}`);
  await smallSolution(folder);
  const name = `${'a long name '.repeat(12)}é.yaml`;
  const { privatePem, publicPem } = generateKey('ed25519');
  writeFiles(folder, {
    [`web/${name}`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: long\n',
    key: privatePem,
    pub: publicPem,
  });
  const path = join(folder, `small${carriers[kind].extension}`);
  await packHere(join(folder, 'solution.toml'), path, { sign: await loadPrivateKey(join(folder, 'key')) });
  const bytes = readFileSync(path);
  const opened = await openBytes(bytes);
  // Of bytes that stay what they are.
  const whole = await openBytes(Buffer.from(bytes));
  const catalog = await readCatalog(await readRoot('archive', whole), carrierSource('archive', whole));
  const key = await loadPublicKey(join(folder, 'pub'));
  const signatures = await listedSignatures(whole, catalog, await readSlots('archive', whole, catalog));
  return { kind, bytes, opened, catalog, planned: planArchive(catalog, carriers[kind], signatures), key };
}

/** How a piece of an archive is looked at. */
interface Check {
  readonly name: string;
  /** Which bits of the byte `good` at `at` are changed. */
  readonly bits: (good: number, at: number) => readonly number[];
  /** Whether it is found that the piece is another one. */
  readonly finds: () => Promise<boolean>;
}

async function checkOf(known: Known, segment: Segment): Promise<Check> {
  const { bytes, planned } = known;
  const file = segment.kind === 'data' ? planned.files.find(({ key }) => key === segment.key) : undefined;
  const name = segment.kind === 'meta' ? segment.name : segment.key;
  const finds = file?.content.kind === 'slot' ? await slotCheck(known, file) : segmentCheck(known, segment, file);
  // Each bit of a signature, in which some might mean nothing; elsewhere one bit of each byte tells of the others.
  const every = file?.content.kind === 'slot' && typeof file.content.slot === 'number';
  const bits = (good: number, at: number): number[] => (every && good !== 0x0a ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8]);
  const piece = bytes.subarray(segment.offset, segment.offset + segment.size);
  const good = Buffer.from(piece);
  for (const [at, byte] of good.entries()) piece[at] = byte ^ 0xff;
  const matters = (await rootOf(known)) !== 'same';
  piece.set(good);
  // Where the root is read all the same with none of these bytes right, it does not depend on one of them.
  if (!matters) return { name, bits, finds };
  const both = async (): Promise<boolean> => {
    const root = await rootOf(known);
    return root === 'other' ? isFoundByAll(known) : root === 'none' || finds();
  };
  return { name, bits, finds: both };
}

/** What is read for the root now. */
async function rootOf({ bytes, catalog }: Known): Promise<'same' | 'other' | 'none'> {
  const opened = await orRefused(openBytes(bytes));
  const root = opened && (await orRefused(readRoot('archive', opened)));
  if (!root) return 'none';
  return Buffer.compare(root, catalog.rootBytes) === 0 ? 'same' : 'other';
}

function segmentCheck({ kind, opened }: Known, segment: Segment, file: CarrierFile | undefined): Check['finds'] {
  const { exempt } = carriers[kind];
  const comparison = { file: opened.file, files: file ? [file] : [], exempt, signal, onBytes: () => undefined };
  return async () => {
    for await (const _ of compareSegments([segment], comparison)) return true;
    return false;
  };
}

/** Whether something else is said of a slot: who has signed in it, or what is wrong with it. */
async function slotCheck({ opened, catalog, key }: Known, { path, content }: CarrierFile): Promise<Check['finds']> {
  const [extent] = (await opened.tree.lookup(path))!.extents;
  const { rootBytes, attestations } = catalog;
  const number = content.kind === 'slot' && typeof content.slot === 'number';
  const alone = {
    ...catalog,
    attestations: attestations.filter((one) => content.kind === 'slot' && one === content.slot),
  };
  const bundleOf: BundleOf = (attestation) => readAttestationSlot(opened, attestation);
  const source = carrierSource('archive', opened);
  const check = { catalog: alone, source, bundleOf, keys: [key], found: [], signal };
  const say = async (): Promise<string> => {
    const bytes = await opened.file.read(extent!.offset, extent!.size);
    return JSON.stringify(number ? judgeSignatures(rootBytes, [bytes], [key]) : await checkAttestations(check));
  };
  const good = await say();
  return async () => (await say()) !== good;
}

/** Whether `verify` finds something, or tells of other signatures. */
async function isFoundByAll({ bytes, key, catalog }: Known): Promise<boolean> {
  const trust = trustInKeys([key], 0);
  const opened = await orRefused(openBytes(bytes));
  const result = opened && (await orRefused(verifyOpened(opened, 'archive', trust, testFlow())));
  if (!result) return true;
  const valid = result.attestations.filter(({ signature }) => signature === 'valid');
  return !result.ok || valid.length < catalog.attestations.length;
}

/** What was asked for; undefined where it was refused by an error of ours. */
async function orRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    expect(error).toHaveProperty('code');
    return undefined;
  }
}
