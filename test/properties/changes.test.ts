import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Extent } from '../../formats/tree.ts';
import { signArchive } from '../../lib/flows/sign/index.ts';
import { verifyOpened } from '../../lib/flows/verify/index.ts';
import { SolpackError } from '../../lib/kernel/events/errors.ts';
import { type CarrierKind, carriers, openArchiveFile, planArchive } from '../../lib/parts/archives/index.ts';
import { generateKey, loadPrivateKey, loadPublicKey, type Trust, trustInKeys } from '../../lib/parts/trust/index.ts';
import { smallSolution, writeFiles } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import { openBytes } from '../support/in-memory.ts';
import { scratch } from '../support/judges.ts';

// Whatever is done to the bytes of a signed archive, it is found.

const folder = scratch('changes');

/** What an archive holds, and how often it is signed. */
const shapes = {
  'of manifests': { images: false, components: true, chart: false, signatures: 1 },
  'of images': { images: true, components: false, chart: false, signatures: 2 },
  'of a chart': { images: false, components: false, chart: true, signatures: 8 },
  'of everything': { images: true, components: true, chart: true, signatures: 1 },
} as const;

type Shape = keyof typeof shapes;

/** An archive as it is meant to be. */
interface Good {
  readonly bytes: Buffer;
  /** Where others may write. */
  readonly free: readonly Extent[];
  readonly slots: readonly Extent[];
  /** Where signatures are listed: a slot counts without that. */
  readonly entries: readonly Extent[];
  /** Where its pieces begin. */
  readonly starts: readonly number[];
  readonly signatures: number;
}

const archives = new Map<string, Good>();
let trust: Trust;

beforeAll(async () => {
  const keys = [];
  for (let number = 0; number < 8; number += 1) {
    const { privatePem, publicPem } = generateKey('ed25519');
    writeFiles(folder, { [`${number}.key`]: privatePem, [`${number}.pub`]: publicPem });
    keys.push(await loadPublicKey(join(folder, `${number}.pub`)));
  }
  trust = trustInKeys(keys, 0)!;
  for (const shape of Object.keys(shapes) as Shape[]) {
    for (const kind of Object.keys(carriers) as CarrierKind[])
      archives.set(`${shape} ${kind}`, await packed(shape, kind));
  }
});

async function packed(shape: Shape, kind: CarrierKind): Promise<Good> {
  const { images, components, chart, signatures } = shapes[shape];
  const home = join(folder, shape.replaceAll(' ', '-'));
  await smallSolution(home);
  const [head = '', ...tables] = readFileSync(join(home, 'solution.toml'), 'utf8').split(/(?=\[\[)/);
  const wanted = tables.filter((table) => (table.startsWith('[[images') ? images : components));
  const charts = chart ? ['[[components]]\nname = "chart"\nkind = "helm"\npath = "chart"\n'] : [];
  writeFiles(home, {
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'chart/templates/one.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n',
    'solution.toml': [head, images ? '' : 'external-images = ["registry.example.com/*"]\n', ...wanted, ...charts].join(
      '',
    ),
  });
  const path = join(home, `archive${carriers[kind].extension}`);
  await packHere(join(home, 'solution.toml'), path);
  for (let number = 0; number < signatures; number += 1) {
    const key = await loadPrivateKey(join(folder, `${number}.key`));
    await signArchive({ archive: path, signer: key, verify: false, output: undefined }, testFlow());
  }
  await using archive = await openArchiveFile(path);
  const slots: Extent[] = [];
  const { files, layout } = planArchive(archive.catalog, archive.carrier);
  const starts = [...layout.segments].map(({ offset }) => offset);
  for (const { path: name, content } of files) {
    if (content.kind === 'slot') slots.push(...(await archive.tree.lookup(name))!.extents);
  }
  const opened = await openBytes(readFileSync(path));
  const { ok, signers } = await verifyOpened(opened, path, trust, testFlow());
  expect([ok, signers.length]).toEqual([true, signatures]);
  const index = (await archive.tree.lookup('index.json'))!.extents[0]!;
  const sectors = archive.carrier.listsSignatures ? signatures : 0;
  const entries = Array.from({ length: sectors }, (_, slot) => {
    return { offset: index.offset + index.size - 2 - (8 - slot) * 512, size: 512 };
  });
  return { bytes: readFileSync(path), free: archive.carrier.exempt, slots, entries, starts, signatures };
}

/** A place: anywhere, or where a piece begins; on a byte, or on a block or a sector. */
const place = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  start: fc.boolean(),
  unit: fc.constantFrom(1, 512, 2048),
});

type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

const changes = fc.array(
  fc.record({
    how: fc.constantFrom('flip', 'fill', 'cut', 'repeat', 'swap', 'end'),
    at: place,
    other: place,
    size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(512, 2048, 4096, 10_240)),
    value: fc.constantFrom(0, 1, 0x0a, 0x20, 0x41, 0x80, 0xff),
  }),
  { minLength: 1, maxLength: 3 },
);

type Change = (typeof changes extends fc.Arbitrary<infer T> ? T : never)[number];

function offsetOf({ at, start, unit }: Place, bytes: Buffer, starts: readonly number[]): number {
  const offset = start ? starts[Math.floor(at * starts.length)]! : Math.floor(at * bytes.length);
  return Math.min(offset - (offset % unit), bytes.length - 1);
}

function changed(bytes: Buffer, { how, at, other, size, value }: Change, starts: readonly number[]): Buffer {
  if (bytes.length === 0) return bytes;
  const [a, b] = [offsetOf(at, bytes, starts), offsetOf(other, bytes, starts)].sort((x, y) => x - y) as [
    number,
    number,
  ];
  const [first, second] = [bytes.subarray(a, a + size), bytes.subarray(b, b + size)];
  if (how === 'flip')
    return Buffer.concat([bytes.subarray(0, a), Buffer.of(bytes[a]! ^ (1 << (value % 8))), bytes.subarray(a + 1)]);
  if (how === 'fill') return Buffer.from(bytes).fill(value, a, Math.min(a + size, bytes.length));
  if (how === 'cut') return Buffer.concat([bytes.subarray(0, a), bytes.subarray(a + size)]);
  if (how === 'repeat') return Buffer.concat([bytes.subarray(0, b), first, bytes.subarray(b)]);
  if (how === 'end') return bytes.subarray(0, a + 1);
  if (a + size > b) return bytes;
  return Buffer.concat([
    bytes.subarray(0, a),
    second,
    bytes.subarray(a + size, b),
    first,
    bytes.subarray(b + second.length),
  ]);
}

/** Whether nothing differs but where others may write, and which slot has which of the bundles, or none. */
function isHarmless({ bytes, free, slots, entries }: Good, now: Buffer): boolean {
  if (now.length !== bytes.length) return false;
  const copy = Buffer.from(now);
  for (const { offset, size } of entries) {
    const isBlank = now.subarray(offset, offset + size).every((byte) => byte === 0x20);
    if (isBlank) bytes.copy(copy, offset, offset, offset + size);
  }
  const held = ({ offset, size }: Extent, from: Buffer): Buffer => from.subarray(offset, offset + size);
  const known = [...slots.map((slot) => held(slot, bytes)), ...slots.map(({ size }) => Buffer.alloc(size, 0x0a))];
  for (const slot of slots)
    if (known.some((bundle) => bundle.equals(held(slot, now)))) held(slot, bytes).copy(copy, slot.offset);
  for (const area of free) held(area, bytes).copy(copy, area.offset);
  return copy.equals(bytes);
}

/** Whether `verify` refuses an archive, finds something, or tells of fewer signatures. */
async function isFound({ signatures }: Good, bytes: Buffer): Promise<boolean> {
  try {
    const { ok, signers } = await verifyOpened(await openBytes(bytes), 'archive', trust, testFlow());
    return !ok || signers.length < signatures;
  } catch (error) {
    expect(error).toBeInstanceOf(SolpackError);
    return true;
  }
}

describe.each(Object.keys(shapes))('an archive %s', (shape) => {
  test.each(Object.keys(carriers))(
    'as %s: bytes that are changed, cut, repeated or swapped are found',
    async (kind) => {
      const good = archives.get(`${shape} ${kind}`)!;
      const seen = { found: 0 };
      await fc.assert(
        fc.asyncProperty(changes, async (list) => {
          const bytes = list.reduce((now, change) => changed(now, change, good.starts), good.bytes);
          fc.pre(bytes.length > 0 && !isHarmless(good, bytes));
          expect(await isFound(good, bytes)).toBe(true);
          seen.found += 1;
        }),
        { seed: 9, numRuns: 150 },
      );
      expect(seen.found).toBe(150);
      expect(await isFound(good, Buffer.from(good.bytes))).toBe(false);
    },
  );
});
