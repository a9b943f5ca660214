import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { firstOf, type PassOver, type SourceCandidate } from '../../../../lib/kernel/content/first-of.ts';
import type { NamedSource } from '../../../../lib/kernel/content/model.ts';
import { noise } from '../../../support/registry.ts';

const bytes = noise('first of several', 10_000);
const content: Descriptor = { mediaType: 'application/octet-stream', digest: sha256(bytes), size: bytes.length };
const other: Descriptor = { ...content, digest: sha256('other') };

class Unreachable extends Error {}
class Absent extends Error {}

const passOver: PassOver = (error) => {
  if (error instanceof Unreachable) return 'always';
  return error instanceof Absent ? 'once' : undefined;
};

/** A source that fails with `fails`, its content after `limit` bytes. */
interface Behaviour {
  readonly pulls?: SourceCandidate['pulls'];
  readonly names?: Readonly<Record<string, Descriptor>>;
  readonly referrers?: readonly Descriptor[];
  readonly fails?: Error;
  readonly limit?: number;
}

/** Sources in memory, and what they are asked, in order: `0 resolve v1`, `1 open 500`. */
function several(...behaviours: readonly Behaviour[]): { source: NamedSource; asked: string[] } {
  const asked: string[] = [];
  const candidates = behaviours.map(
    ({ pulls = 'all', names = {}, referrers, fails, limit = 0 }, at): SourceCandidate => {
      const ask = <T>(what: string, answer: T): T => {
        asked.push(`${at} ${what}`);
        if (fails) throw fails;
        return answer;
      };
      const source: NamedSource = {
        name: `${at}`,
        resolve: async (name) => ask(`resolve ${name}`, names[name]),
        ...(referrers ? { referrers: async () => ask('referrers', referrers) } : {}),
        open: async function* (_, { offset = 0 } = {}) {
          asked.push(`${at} open ${offset}`);
          const end = fails ? Math.max(offset, limit) : bytes.length;
          for (let from = offset; from < end; from += 100) yield bytes.subarray(from, Math.min(from + 100, end));
          if (fails) throw fails;
        },
        close: async () => void asked.push(`${at} close`),
      };
      return { pulls, open: async () => source };
    },
  );
  return { source: firstOf('all of them', candidates, passOver), asked };
}

const read = (source: NamedSource, offset = 0): Promise<Uint8Array> =>
  collect(source.open(content, { offset }), bytes.length);

describe('the first of several sources', () => {
  test('that has a name or content is the only one that is asked for it', async () => {
    const { source, asked } = several({ names: { v1: content } }, { names: { v1: other } });
    expect(source.name).toBe('all of them');
    expect(await source.resolve('v1')).toBe(content);
    expect(Buffer.compare(await read(source), bytes)).toBe(0);
    expect(asked).toEqual(['0 resolve v1', '0 open 0']);
  });

  test('is passed over where it lacks something, and asked for the next thing all the same', async () => {
    const { source, asked } = several({}, { fails: new Absent() }, { names: { v1: content } });
    expect(await source.resolve('v1')).toBe(content);
    expect(await source.resolve('v2')).toBeUndefined();
    const order = ['v1', 'v2'].flatMap((name) => [0, 1, 2].map((at) => `${at} resolve ${name}`));
    expect(asked).toEqual(order);
  });

  test('is not asked again where it is passed over for good', async () => {
    const { source, asked } = several({ fails: new Unreachable() }, { names: { v1: content } });
    expect(await source.resolve('v1')).toBe(content);
    await source.resolve('v1');
    await read(source);
    expect(asked).toEqual(['0 resolve v1', '1 resolve v1', '1 resolve v1', '1 open 0']);
  });

  test('fails with what is no failure of its own', async () => {
    const { source, asked } = several({ fails: new Error('told to stop') }, { names: { v1: content } });
    await expect(source.resolve('v1')).rejects.toThrow('told to stop');
    await expect(read(source)).rejects.toThrow('told to stop');
    expect(asked).toEqual(['0 resolve v1', '0 open 0']);
  });

  test('is the original where it is the last one: it is always asked, and its failures are thrown', async () => {
    const alone = several({ pulls: 'digest-only', fails: new Unreachable('it is down') });
    await expect(alone.source.resolve('v1')).rejects.toThrow('it is down');
    await expect(alone.source.resolve('v1')).rejects.toThrow('it is down');
    const { source } = several({ fails: new Absent('a copy') }, { fails: new Absent('the original') });
    await expect(read(source)).rejects.toThrow('the original');
  });

  test('is asked only for what it is to be asked for', async () => {
    const digest: Digest = content.digest;
    const names = { v1: content, [digest]: content, [`example.com/a@${digest}`]: content };
    const { source, asked } = several({ pulls: 'digest-only', names }, { pulls: 'tag-only', names }, { names });
    await source.resolve('v1');
    await source.resolve(digest);
    await source.resolve(`example.com/a@${digest}`);
    await read(source);
    expect(asked).toEqual(['1 resolve v1', `0 resolve ${digest}`, `0 resolve example.com/a@${digest}`, '0 open 0']);
  });

  test('that lists referrers tells of them; one that lists none may not have been told', async () => {
    const { source, asked } = several({}, { referrers: [] }, { referrers: [other] }, { referrers: [content] });
    expect(await source.referrers?.(content)).toEqual([other]);
    expect(asked).toEqual(['1 referrers', '2 referrers']);
    expect(await several({}, { referrers: [] }).source.referrers?.(content)).toEqual([]);
  });

  test('gives content on from where the one before broke off, from whatever byte it is read', async () => {
    const size = fc.nat(bytes.length);
    await fc.assert(
      fc.asyncProperty(fc.array(size, { maxLength: 4 }), size, async (limits, offset) => {
        const failing = limits.map((limit) => ({ fails: new Absent(), limit }));
        const { source, asked } = several(...failing, {});
        expect(Buffer.compare(await read(source, offset), bytes.subarray(offset))).toBe(0);
        const opened = asked.map((one) => Number(one.split(' ')[2]));
        const reached = limits.map((_, at) => Math.max(offset, ...limits.slice(0, at + 1)));
        expect(opened).toEqual([offset, ...reached]);
      }),
    );
  });

  test('is closed with all others that were opened', async () => {
    const { source, asked } = several({}, { names: { v1: content } }, {});
    await source.resolve('v1');
    await source.close();
    expect(asked).toEqual(['0 resolve v1', '1 resolve v1', '0 close', '1 close']);
  });

  test('need not open, which is a failure like another', async () => {
    const closed: string[] = [];
    const working: NamedSource = {
      name: 'it',
      resolve: async () => content,
      open: () => expect.unreachable(),
      close: async () => void closed.push('it'),
    };
    const failing = { pulls: 'all', open: () => Promise.reject(new Unreachable()) } as const;
    const source = firstOf('it', [failing, { pulls: 'all', open: async () => working }], passOver);
    expect(await source.resolve('v1')).toBe(content);
    await source.close();
    expect(closed).toEqual(['it']);
  });
});
