import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { join as joined, memory, slice } from '../../../../formats/bytes.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { type PackRequest, pack } from '../../../../lib/flows/pack/index.ts';
import type { NamedSource } from '../../../../lib/kernel/content/model.ts';
import type { Event } from '../../../../lib/kernel/events/events.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';
import { sampleImage } from '../../../support/registry.ts';

const MIB = 1024 * 1024;
const folder = scratch('resume');
const image = sampleImage('resume', 40 * MIB);
const layers = [...image.blobs.values()]
  .filter(({ descriptor }) => descriptor.size > MIB)
  .map((blob) => blob.descriptor);
const last = layers.at(-1)!;
const output = join(folder, 'x.iso');
const journal = `${output}.partial.journal`;

writeFileSync(
  join(folder, 'solution.toml'),
  'name = "x"\nversion = "1.0.0"\n[[images]]\nreference = "registry.example.com/x:1"\n',
);

interface Line {
  readonly source: NamedSource;
  /** What was opened, and from which byte on. */
  readonly opened: { descriptor: Descriptor; offset: number }[];
}

/** Waits until the journal tells that all of `contents` are in place. */
async function untilDone(contents: readonly Descriptor[]): Promise<void> {
  const lines = contents.map(({ digest }) => `done ${digest}\n`);
  for (;;) {
    const text = readFileSync(journal, 'latin1');
    if (lines.every((one) => text.includes(one))) return;
    await nextTurn();
  }
}

/** A registry's repository; the line goes dead after `limit` bytes of the last layer, when all others are in place. */
function line(limit = Number.POSITIVE_INFINITY): Line {
  const opened: Line['opened'] = [];
  async function* read(descriptor: Descriptor, offset: number): AsyncGenerator<Uint8Array> {
    opened.push({ descriptor, offset });
    const bytes = memory(image.bytesOf(descriptor));
    const end = descriptor.digest === last.digest ? Math.min(limit, bytes.size) : bytes.size;
    yield* slice(bytes, offset, end - offset);
    if (end === bytes.size) return;
    await untilDone(layers.filter(({ digest }) => digest !== last.digest));
    throw new Error('the line went dead');
  }
  const source: NamedSource = {
    name: 'registry.example.com/x',
    resolve: async () => image.root,
    open: (descriptor, { offset = 0 } = {}) => joined([read(descriptor, offset)]),
    close: async () => undefined,
  };
  return { source, opened };
}

async function run(source: NamedSource, more: Partial<PackRequest> = {}): Promise<readonly Event[]> {
  const flow = testFlow();
  const definition = join(folder, 'solution.toml');
  const request = {
    definition,
    output,
    created: 0,
    lock: 'use' as const,
    sign: undefined,
    connect: async () => source,
  };
  await pack({ ...request, ...more }, flow);
  return flow.events;
}

function notices(events: readonly Event[]): string {
  return events.map((event) => (event.type === 'notice' ? event.message : '')).join('\n');
}

const whole = async (): Promise<Buffer> => {
  await run(line().source);
  return readFileSync(output);
};

/** Packs until the line goes dead in the last layer. */
async function cutOff(): Promise<void> {
  await expect(run(line(35 * MIB).source, { resume: true })).rejects.toThrow('the line went dead');
  expect(existsSync(`${output}.partial`)).toBe(true);
}

const offsetOf = ({ opened }: Line): number | undefined =>
  opened.findLast(({ descriptor }) => descriptor.digest === last.digest)?.offset;

describe('pack --resume', () => {
  test('keeps what is whole, and fetches only the rest of what was begun', async () => {
    const expected = await whole();
    await cutOff();
    const again = line();
    const events = await run(again.source, { resume: true });
    expect(notices(events)).toMatch(/continues: \d+ of \d+ contents are there/);
    expect(offsetOf(again)).toBe(32 * MIB);
    const fetched = again.opened.filter(({ descriptor }) => layers.some(({ digest }) => digest === descriptor.digest));
    expect(fetched).toHaveLength(1);
    expect(readFileSync(output).equals(expected)).toBe(true);
    expect(existsSync(journal)).toBe(false);
    const progress = events.filter((event) => event.type === 'progress').at(-1);
    expect(progress).toMatchObject({ done: progress?.total });
  });

  test('goes on again and again', async () => {
    const expected = await whole();
    await cutOff();
    await expect(run(line(38 * MIB).source, { resume: true })).rejects.toThrow('the line went dead');
    const again = line();
    await run(again.source, { resume: true });
    expect(offsetOf(again)).toBe(32 * MIB);
    expect(readFileSync(output).equals(expected)).toBe(true);
  });

  test('fetches all of what was begun where the beginning was lost', async () => {
    const expected = await whole();
    await cutOff();
    const partial = readFileSync(`${output}.partial`);
    const start = partial.indexOf(image.bytesOf(last).subarray(0, 4096));
    writeFileSync(`${output}.partial`, partial.fill(0, start + 100, start + 5000));
    const again = line();
    const events = await run(again.source, { resume: true });
    expect(offsetOf(again)).toBe(0);
    expect(readFileSync(output).equals(expected)).toBe(true);
    const progress = events.filter((event) => event.type === 'progress').at(-1);
    expect(progress).toMatchObject({ done: progress?.total });
  });

  test('hashes what may have been lost with the memory of the machine, and fetches it again if it was', async () => {
    const expected = await whole();
    await cutOff();
    const lost = layers[0]!;
    const partial = readFileSync(`${output}.partial`);
    const start = partial.indexOf(image.bytesOf(lost).subarray(0, 4096));
    writeFileSync(`${output}.partial`, partial.fill(0, start + 100, start + 5000));
    const again = line();
    await run(again.source, { resume: true });
    expect(again.opened.some(({ descriptor }) => descriptor.digest === lost.digest)).toBe(true);
    expect(readFileSync(output).equals(expected)).toBe(true);
  });

  test('hashes what a journal calls safe where others may have given its name to another file', async () => {
    const expected = await whole();
    await cutOff();
    const lines = readFileSync(journal, 'latin1');
    writeFileSync(journal, `${lines}safe ${lines.match(/^done /gm)!.length}\n`);
    const offset = expected.indexOf(image.bytesOf(layers[0]!).subarray(0, 64));
    const partial = readFileSync(`${output}.partial`);
    partial.fill(0xee, offset, offset + 100);
    writeFileSync(`${output}.partial`, partial);
    chmodSync(folder, 0o777);
    await run(line().source, { resume: true });
    chmodSync(folder, 0o700);
    expect(readFileSync(output).equals(expected)).toBe(true);
  });

  test('begins anew where others could write to what was left', async () => {
    const expected = await whole();
    await cutOff();
    chmodSync(`${output}.partial`, 0o666);
    const again = line();
    await run(again.source, { resume: true });
    expect(offsetOf(again)).toBe(0);
    expect(readFileSync(output).equals(expected)).toBe(true);
  });

  test.each([
    [
      'is of another archive',
      () => writeFileSync(journal, readFileSync(journal, 'latin1').replace(/[0-9a-f]{64}/, 'f'.repeat(64))),
    ],
    ['is garbage', () => writeFileSync(journal, Buffer.alloc(5000, 0xee))],
    ['is empty', () => writeFileSync(journal, '')],
    ['is not there', () => rmSync(journal)],
  ])('says so and packs from the start where the journal %s', async (_, spoil) => {
    const expected = await whole();
    await cutOff();
    spoil();
    const again = line();
    const told = notices(await run(again.source, { resume: true }));
    expect(told).toContain('is not the beginning of this archive; it is written from the start');
    expect(offsetOf(again)).toBe(0);
    expect(readFileSync(output).equals(expected)).toBe(true);
  });

  test('goes on with what a journal tells that was cut off in the middle of a line', async () => {
    const expected = await whole();
    await cutOff();
    const text = readFileSync(journal, 'latin1');
    writeFileSync(journal, text.slice(0, Math.floor(text.length * 0.7)));
    await run(line().source, { resume: true });
    expect(readFileSync(output).equals(expected)).toBe(true);
  });

  test('packs from the start where nothing was left, and says so', async () => {
    expect(notices(await run(line().source, { resume: true }))).toContain('nothing to continue');
  });
});

test('without --resume nothing is kept, neither of an earlier run nor of one that fails', async () => {
  const expected = await whole();
  await cutOff();
  const again = line();
  await run(again.source);
  expect(offsetOf(again)).toBe(0);
  expect(readFileSync(output).equals(expected)).toBe(true);
  await expect(run(line(MIB).source)).rejects.toThrow('the line went dead');
  expect([existsSync(`${output}.partial`), existsSync(journal)]).toEqual([false, false]);
});
