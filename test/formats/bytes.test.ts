import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ahead,
  type Bytes,
  byteOrder,
  collect,
  fleeting,
  inByteOrder,
  join,
  memory,
  once,
  type ReadAt,
  requireRange,
  ring,
  STREAM_CHUNK,
  skip,
  slice,
  text,
  utf8,
  window,
} from '../../formats/bytes.ts';

const code = (value: string) => expect.objectContaining({ name: 'FormatError', code: value });
const alphabet = utf8('abcdefghijklmnopqrstuvwxyz');

describe('random access', () => {
  test('reads exactly what was asked for', async () => {
    expect(await memory(alphabet).read(2, 3)).toEqual(utf8('cde'));
    expect(await memory(alphabet).read(26, 0)).toEqual(new Uint8Array(0));
  });

  test('refuses what lies outside, of the whole and of a window', async () => {
    for (const [offset, length] of [
      [-1, 1],
      [0, -1],
      [25, 2],
      [27, 0],
      [Number.NaN, 1],
    ] as const) {
      expect(() => requireRange(26, offset, length)).toThrow(code('truncated'));
      await expect(memory(alphabet).read(offset, length)).rejects.toThrow(code('truncated'));
    }
    const part = window(memory(alphabet), 10, 5);
    expect(await part.read(1, 4)).toEqual(utf8('lmno'));
    await expect(part.read(1, 5)).rejects.toThrow(code('truncated'));
    expect(() => window(memory(alphabet), 20, 7)).toThrow(code('truncated'));
  });

  test('tells where the bytes are missing', () => {
    expect(() => requireRange(10, 8, 4)).toThrow(
      expect.objectContaining({ offset: 8, message: '4 bytes expected at offset 8, but the data ends at 10' }),
    );
  });
});

describe('a stream', () => {
  test('of a slice has chunks of the size that was asked for', async () => {
    const sizes: number[] = [];
    for await (const chunk of slice(memory(alphabet), 3, 20, 8)) sizes.push(chunk.length);
    expect(sizes).toEqual([8, 8, 4]);
  });

  test('of a slice has the same bytes, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array(),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 20 }),
        async (bytes, from, count, chunk) => {
          const offset = from % (bytes.length + 1);
          const length = count % (bytes.length - offset + 1);
          const read = await collect(slice(memory(bytes), offset, length, chunk), length);
          expect(Buffer.from(read).equals(bytes.subarray(offset, offset + length))).toBe(true);
        },
      ),
    );
  });

  test('of which the beginning is skipped has the rest, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.nat(300), fc.integer({ min: 1, max: 20 }), async (bytes, count, chunk) => {
        const rest = skip(slice(memory(bytes), 0, bytes.length, chunk), count);
        expect(Buffer.from(await collect(rest, bytes.length)).equals(bytes.subarray(count))).toBe(true);
      }),
    );
  });

  test('of nothing has no chunk', async () => {
    for await (const chunk of once(new Uint8Array(0))) expect.unreachable(`a chunk of ${chunk.length} bytes`);
    expect(await collect(join([]), 0)).toHaveLength(0);
  });

  test('joins what lies apart', async () => {
    expect(await collect(join([once(utf8('ab')), once(utf8('')), once(utf8('c'))]), 3)).toEqual(Buffer.from('abc'));
  });

  test('is not gathered beyond its limit, and not read further', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        yield alphabet;
      }
    }
    await expect(collect(endless(), 100)).rejects.toThrow(code('size-mismatch'));
    expect(read).toBe(4);
  });
});

describe('text', () => {
  test('drops a byte order mark and refuses what is not UTF-8', () => {
    expect(text(Buffer.from('\ufeffä'), 'json-invalid')).toBe('ä');
    expect(() => text(Uint8Array.of(0xff), 'yaml-invalid')).toThrow(code('yaml-invalid'));
    expect(() => text(Uint8Array.of(0xed, 0xa0, 0x80), 'toml-invalid')).toThrow(code('toml-invalid'));
  });

  test('is ordered by its bytes, where code units would order it otherwise', () => {
    expect(['\u{1f600}', '\uffee', 'b', 'B', 'a'].sort(byteOrder)).toEqual(['B', 'a', 'b', '\uffee', '\u{1f600}']);
  });

  test('orders what it names, with surrogates or without, and leaves the list that was given', () => {
    const names = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' })));
    fc.assert(
      fc.property(names, (list) => {
        const items = list.map((name) => ({ name }));
        const given = [...items];
        const sorted = inByteOrder(items, ({ name }) => name).map(({ name }) => name);
        expect(sorted).toEqual(list.toSorted((a, b) => Buffer.compare(utf8(a), utf8(b))));
        expect(items).toEqual(given);
      }),
    );
  });
});

describe('ahead', () => {
  async function* counted(count: number, state: { pulled: number; closed: boolean }, fails = false): Bytes {
    try {
      for (let number = 0; number < count; number += 1) {
        state.pulled += 1;
        yield Uint8Array.of(number);
      }
      if (fails) throw new Error('the source failed');
    } finally {
      state.closed = true;
    }
  }

  test('hands on every chunk in order, and is one chunk ahead', async () => {
    const state = { pulled: 0, closed: false };
    const seen: number[] = [];
    for await (const [value] of ahead(counted(5, state))) {
      seen.push(value!);
      await new Promise((settle) => setImmediate(settle));
      expect(state.pulled).toBe(Math.min(5, seen.length + 1));
    }
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  test('fails as its source does, after what came before', async () => {
    const state = { pulled: 0, closed: false };
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      for await (const [value] of ahead(counted(2, state, true))) seen.push(value!);
    };
    await expect(read()).rejects.toThrow('the source failed');
    expect(seen).toEqual([0, 1]);
  });

  test('closes its source where its reader stops early', async () => {
    const state = { pulled: 0, closed: false };
    for await (const _ of ahead(counted(9, state))) break;
    expect(state.closed).toBe(true);
    expect(state.pulled).toBeLessThanOrEqual(2);
  });
});

describe('memory that is used again', () => {
  test('has room for four chunks, which a stream of any length and any offset goes through in order', async () => {
    const whole = Uint8Array.from({ length: 7 * STREAM_CHUNK + 5 }, (_, at) => at % 251);
    const inPlace: ReadAt = {
      size: whole.length,
      read: async (offset, length, into) => {
        into?.set(whole.subarray(offset, offset + length));
        return into!.subarray(0, length);
      },
    };
    const memories = new Set<ArrayBufferLike>();
    let at = 3;
    let held: Uint8Array[] = [];
    for await (const chunk of fleeting(inPlace, at, whole.length - at, ring(STREAM_CHUNK, 4))) {
      held = [...held, chunk].slice(-3);
      const size = held.reduce((sum, { length }) => sum + length, 0);
      at += chunk.length;
      expect(Buffer.concat(held).equals(whole.subarray(at - size, at))).toBe(true);
      memories.add(chunk.buffer);
    }
    expect([at, memories.size]).toEqual([whole.length, 4]);
  });

  test('is not what a stream is gathered in', async () => {
    const chunk = Uint8Array.of(1, 2, 3);
    async function* again(): AsyncGenerator<Uint8Array> {
      yield chunk;
      chunk.fill(9);
      yield chunk;
    }
    expect([...(await collect(again(), 6))]).toEqual([1, 2, 3, 9, 9, 9]);
  });
});
