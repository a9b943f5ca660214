import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { ReadAt } from '../../../../formats/bytes.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { startRegistry } from '../../../../lib/parts/registry-server/index.ts';
import { createPieceMemory } from '../../../../lib/parts/registry-server/piece-memory.ts';
import { sampleImage } from '../../../support/registry.ts';
import { served } from './shelf.ts';

test('memory that was given back is given out again, whatever part of it was used', () => {
  const memory = createPieceMemory(100);
  const first = memory.take(100);
  expect(memory.take(100).buffer).not.toBe(first.buffer);
  memory.give(first.subarray(10, 20));
  const again = memory.take(100);
  expect(again.buffer).toBe(first.buffer);
  expect(again).toHaveLength(100);
});

test('what is given back twice, or was never taken, is given out to nobody', () => {
  const memory = createPieceMemory(100);
  const first = memory.take(100);
  const foreign = new Uint8Array(100);
  for (const bytes of [first, first, foreign]) memory.give(bytes);
  const taken = [memory.take(100), memory.take(100), memory.take(100)].map(({ buffer }) => buffer);
  expect(new Set([...taken, foreign.buffer]).size).toBe(4);
});

test('what is smaller than a piece has memory of its own', () => {
  const memory = createPieceMemory(100);
  const small = memory.take(7);
  expect(small).toHaveLength(7);
  memory.give(small);
  expect(memory.take(7).buffer).not.toBe(small.buffer);
});

/** The same bytes, copied to where they are wanted, as a file does it. */
function copying(_: Descriptor, source: ReadAt): ReadAt {
  const read: ReadAt['read'] = async (offset, length, into) => {
    const bytes = await source.read(offset, length);
    if (!into) return bytes;
    into.set(bytes);
    return into.subarray(0, length);
  };
  return { size: source.size, read };
}

test('a client that stops reading for a while gets its own bytes, though others were served meanwhile', async () => {
  const images = ['slow', 'quick'].map((name) => sampleImage(name, 24_000_000));
  const contents = images.map((image, number) => served(`${number}.iso`, [['', `n${number}`, ['1'], image]], copying));
  const registry = await startRegistry(contents, { host: '127.0.0.1', port: 0 });
  const open = async (number: number): Promise<IncomingMessage> => {
    const asked = get(`${registry.url}/v2/n${number}/blobs/${images[number]!.layer.digest}`);
    return (await once(asked, 'response'))[0];
  };
  const digestOf = async (message: IncomingMessage): Promise<string> => {
    const hash = createHash('sha256');
    for await (const chunk of message) hash.update(chunk);
    return `sha256:${hash.digest('hex')}`;
  };
  const expected = images.map(({ layer }) => layer.digest);
  // The first time content is hashed on the way, later its pieces are compared.
  for (let round = 0; round < 2; round += 1) {
    const slow = [await open(0), await open(0)];
    for (const message of slow) message.pause();
    for (let quick = 0; quick < 3; quick += 1) expect(await digestOf(await open(1))).toBe(expected[1]);
    expect(await Promise.all(slow.map(digestOf))).toEqual([expected[0], expected[0]]);
  }
  await registry.close();
});
