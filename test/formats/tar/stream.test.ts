import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bytes, collect, memory } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { scanTar } from '../../../formats/tar/scan.ts';
import { HEAD, type StreamMember, streamTar } from '../../../formats/tar/stream.ts';
import { archive, entry } from '../../support/tar.ts';

type Found = Pick<StreamMember, 'name' | 'type' | 'size' | 'link'> & { content: string };

async function* pieces(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(
  bytes: Uint8Array,
  chunk = 65_536,
  wants: (name: string) => boolean = () => true,
): Promise<Found[]> {
  const found: Found[] = [];
  for await (const { body, head, mode, ...member } of streamTar(pieces(bytes, chunk))) {
    expect(mode).toBe(0o644);
    const content = wants(member.name) ? Buffer.from(await collect(body, 1e9)).toString() : '';
    if (content !== '') expect(content.startsWith(Buffer.from(head).toString())).toBe(true);
    expect(head).toHaveLength(Math.min(HEAD, member.size));
    found.push({ ...member, content });
  }
  return found;
}

const sample = archive(
  entry('pax', { type: 'x', body: '30 path=a/name/from/a/record\n\n'.slice(0, 29).replace('30', '29') }),
  entry('a', { body: 'hello' }),
  entry('././@LongLink', { type: 'L', body: `${'l'.repeat(200)}\0` }),
  entry('short', { body: 'x'.repeat(600) }),
  entry('././@LongLink', { type: 'K', body: `${'k'.repeat(200)}\0` }),
  entry('dir/soft', { type: '2', link: 'short' }),
  entry('dir', { type: '5' }),
  entry('dir/hard', { type: '1', link: 'a/name/from/a/record' }),
  entry('fifo', { type: '6' }),
  entry('empty'),
);

describe('a tar stream', () => {
  test('gives the entries that the reader of whole archives gives, wherever chunks end', async () => {
    const scanned: Omit<Found, 'content'>[] = [];
    for await (const { name, type, size, link } of scanTar(memory(sample))) scanned.push({ name, type, size, link });
    for (const chunk of [1, 100, 512, 65_536]) {
      const found = await read(sample, chunk);
      expect(found.map(({ content, ...member }) => member)).toEqual(scanned);
      expect(found.map(({ content }) => content).join('')).toBe(`hello${'x'.repeat(600)}`);
    }
    expect(scanned.map(({ name }) => name)).toContain('a/name/from/a/record');
  });

  test('skips what nobody reads, or reads in part', async () => {
    expect((await read(sample, 300, (name) => name === 'empty')).length).toBe(7);
    const names: string[] = [];
    for await (const { name, body } of streamTar(pieces(sample, 300))) {
      names.push(name);
      for await (const part of body) if (part.length > 0) break;
    }
    expect(names).toHaveLength(7);
  });

  test('reads on where runtimes do: without an end marker, with names that are no UTF-8, with a size on a link', async () => {
    expect(await read(entry('a', { body: 'b' }))).toMatchObject([{ name: 'a', content: 'b' }]);
    expect(await read(Buffer.alloc(0))).toEqual([]);
    const latin = entry('xx', { edit: (block) => block.write('\xe9', 'latin1') });
    expect(await read(archive(latin, entry('after')))).toMatchObject([{ name: '\ufffdx' }, { name: 'after' }]);
    const sized = entry('hard', { type: '1', link: 'a', size: 1000 });
    expect(await read(archive(sized, entry('after')))).toMatchObject([{ name: 'hard', size: 0 }, { name: 'after' }]);
    expect(await read(archive(entry('odd', { type: 'V' as '0', body: 'x' }), entry('after')))).toMatchObject([
      { name: 'odd', type: 'other' },
      { name: 'after' },
    ]);
  });

  test('reads a stream to its end, also behind the end marker, so that digests get checked', async () => {
    let read = 0;
    async function* counted(): Bytes {
      for await (const piece of pieces(Buffer.concat([sample, Buffer.alloc(9000, 1)]), 4096)) {
        read += piece.length;
        yield piece;
      }
    }
    for await (const { name } of streamTar(counted())) expect(name).not.toBe('');
    expect(read).toBe(sample.length + 9000);
  });

  test.each<[string, Uint8Array, string]>([
    ['ends within a header', sample.subarray(0, 300), 'tar header'],
    ['ends within a file', entry('a', { body: 'x'.repeat(600) }).subarray(0, 900), 'middle of a file'],
    ['has a wrong checksum', Buffer.concat([sample.subarray(0, 10), Buffer.alloc(502, 1)]), 'wrong checksum'],
    [
      'has a header too long',
      archive(entry('p', { type: 'x', body: 'x'.repeat(1024 * 1024 + 1) })),
      'extended tar header',
    ],
    ['sets the size of all', archive(entry('g', { type: 'g', body: '10 size=1\n' })), 'a size for all entries'],
    [
      'has two pax headers for an entry',
      archive(entry('p', { type: 'x', body: '10 path=a\n' }), entry('p', { type: 'x', body: '10 path=b\n' })),
      'second pax header',
    ],
  ])('is refused where it %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message);
    await expect(read(bytes)).rejects.toBeInstanceOf(FormatError);
  });

  test('ends in entries or in a FormatError, whatever bytes are changed', async () => {
    const change = fc.tuple(fc.nat({ max: sample.length - 1 }), fc.uint8Array({ minLength: 1, maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const bytes = Buffer.from(sample);
        for (const [at, more] of changes) bytes.set(more.subarray(0, bytes.length - at), at);
        const found = await read(bytes, 700).catch((error: unknown) => error);
        if (found instanceof Error) expect(found).toBeInstanceOf(FormatError);
      }),
      { numRuns: 300 },
    );
  });
});
