import { expect, test } from 'vitest';
import { lendMemory } from '../../../../lib/kernel/content/lent-memory.ts';

const LARGE = 10_000_000;

const memoriesOf = ({ next }: ReturnType<typeof lendMemory>): ArrayBufferLike[] =>
  Array.from({ length: 8 }, () => next().buffer);

test('a transfer goes round in the memory of four chunks', () => {
  const memories = memoriesOf(lendMemory(LARGE));
  expect(new Set(memories).size).toBe(4);
  expect(memories.slice(4)).toEqual(memories.slice(0, 4));
});

test('what was given back is lent again, to one at a time', () => {
  const first = lendMemory(LARGE);
  const memories = new Set(memoriesOf(first));
  expect(memoriesOf(lendMemory(LARGE)).some((memory) => memories.has(memory))).toBe(false);
  first.done();
  first.done();
  const lent = [lendMemory(LARGE), lendMemory(LARGE)].map((one) =>
    memoriesOf(one).filter((memory) => memories.has(memory)),
  );
  expect(lent.map(({ length }) => length).sort()).toEqual([0, 8]);
});

test('what is small takes no more than it needs, if there is nothing at all', () => {
  expect(lendMemory(1000).next()).toHaveLength(1000);
  // A file may have more than is said of it: reading it has to get on.
  expect(lendMemory(0).next()).toHaveLength(1);
});
