import { type Bytes, once } from '../../formats/bytes.ts';
import { damaged, type Words } from './damage.ts';
import { shortened, type Try } from './faults.ts';
import { type Random, randomOf } from './random.ts';
import type { Feed, Input, Target } from './target.ts';
import { isRefusal } from './violation.ts';

/** Reads an input. `random` gives the same numbers each time for that input. */
export type Read = (bytes: Buffer, random: Random) => unknown;

/** One parser of a target. */
export interface Parser {
  /** Sound inputs of it. */
  readonly samples: readonly (string | Uint8Array)[];
  /** Reads an input. What it throws is a refusal or a fault; a text that it returns is the outcome. */
  readonly read: Read;
  /** Damages a sample; left out: as text of an unknown format. */
  readonly damage?: (random: Random, sample: Buffer, words: Words) => Buffer;
  /** Functions for damaged inputs, such as compression, one of which is chosen each time. */
  readonly wraps?: readonly ((bytes: Buffer) => Buffer)[];
}

/** Makes a target of parsers that hold everything in memory. `words` are words of their formats, separated by ¦. */
export function parsers(name: string, weight: number, words: string, list: Readonly<Record<string, Parser>>): Target {
  return { name, weight, load: () => feedOf(words === '' ? [] : words.split('¦'), list) };
}

/** Streams bytes in chunks of random sizes. */
export async function* inPieces(bytes: Uint8Array, random: Random): Bytes {
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(random.once(2) ? 16 : 4096);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Streams bytes; every second time in pieces. */
export function streamed(bytes: Uint8Array, random: Random): Bytes {
  return random.once(2) ? inPieces(bytes, random) : once(bytes);
}

interface Prepared extends Required<Omit<Parser, 'samples'>> {
  readonly name: string;
  readonly sample: Buffer;
}

function feedOf(words: readonly string[], list: Readonly<Record<string, Parser>>): Feed {
  const groups = Object.entries(list).map(([name, { samples, read, damage = damaged, wraps = [same] }]) =>
    samples.map((sample): Prepared => ({ name, read, damage, wraps, sample: bytesOf(sample) })),
  );
  const all = groups.flat();
  const others = all.map(({ sample }) => sample);
  return {
    samples: all.flatMap(({ name, sample, read, wraps }) =>
      wraps.map((wrap) => ({ name, bytes: sample, one: guarded((bytes) => read(wrap(bytes), randomOf(0, 0))) })),
    ),
    prepare: (random) => inputOf(random, random.pick(random.pick(groups)), { words, others }),
  };
}

function inputOf(random: Random, { name, sample, read, damage, wraps }: Prepared, words: Words): Input {
  const seed = random.below(2 ** 32);
  const wrap = random.pick(wraps);
  // Wrapped bytes are damaged before they are wrapped, and sometimes after that instead.
  const within = wrap === same || !random.once(8);
  const start = within ? damage(random, sample, words) : damaged(random, wrap(sample), words);
  const make = within ? wrap : same;
  const bytes = make(start);
  const one = guarded((input) => read(input, randomOf(seed, 0)));
  return {
    sample: name,
    bytes,
    one,
    reduced: async (fault) => make(await shortened(start, (input) => one(make(input)), fault)),
    close: () => undefined,
  };
}

function guarded(read: (bytes: Buffer) => unknown): Try {
  return async (bytes) => {
    try {
      const outcome = await read(bytes);
      return typeof outcome === 'string' ? outcome : 'read';
    } catch (error) {
      if (isRefusal(error)) return error.code;
      throw error;
    }
  };
}

function same(bytes: Buffer): Buffer {
  return bytes;
}

function bytesOf(sample: string | Uint8Array): Buffer {
  return typeof sample === 'string' ? Buffer.from(sample) : Buffer.from(sample);
}
