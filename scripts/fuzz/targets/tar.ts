import { memory } from '../../../formats/bytes.ts';
import { openTar, sniffTar } from '../../../formats/tar/read.ts';
import { streamTar } from '../../../formats/tar/stream.ts';
import { inPieces, type Parser, parsers } from '../parser.ts';
import type { Random } from '../random.ts';
import { checkPath } from '../reader.ts';
import { damagedTar, type Member, paxRecord, tarOf } from '../tar-members.ts';
import { isRefusal, must } from '../violation.ts';

const members: readonly Member[] = [
  { name: 'a', body: 'a' },
  { name: 'd/', type: '5' },
  { name: 'd/b', body: 'b'.repeat(600) },
  { name: 'd/link', type: '2', link: '../a' },
  { name: 'd/hard', type: '1', link: 'a' },
  { name: 'x', body: 'named by pax', pax: paxRecord('path=p/é') },
  { name: `${'n'.repeat(90)}/${'m'.repeat(90)}`, body: 'named by GNU tar' },
  { name: 'empty' },
];

const parser: Parser = { samples: [tarOf(members)], damage: damagedTar(members), read: () => undefined };

/** Tar archives: those that this project guarantees for, and streams as in layers. */
export const tar = parsers('tar', 60, '', {
  archive: { ...parser, read: (bytes) => readArchive(bytes) },
  stream: { ...parser, read: readStream },
});

async function readArchive(bytes: Buffer): Promise<void> {
  sniffTar(bytes);
  const { walk, lookup, end } = await openTar(memory(bytes));
  must(end <= bytes.length, 'the archive ends behind the file');
  const paths = new Set<string>();
  for await (const { path, type, size, extents } of walk()) {
    checkPath(path);
    must(!paths.has(path), `the path ${JSON.stringify(path)} is there twice`);
    paths.add(path);
    must((await lookup(path))?.type === type, `looking ${JSON.stringify(path)} up finds something else`);
    const sum = extents.reduce((total, extent) => total + extent.size, 0);
    must(sum === size, `the extents of ${JSON.stringify(path)} have other bytes than its size says`);
    for (const { offset, size: length } of extents) {
      must(offset >= 512 && offset + length <= bytes.length, `an extent of ${JSON.stringify(path)} lies outside`);
    }
  }
}

/** Reads a stream in one piece and in many, and compares the results. */
async function readStream(bytes: Buffer, random: Random): Promise<string | undefined> {
  const whole = await membersOf([bytes]);
  const pieces = await membersOf(inPieces(bytes, random));
  must(whole.text === pieces.text, 'a tar stream is read otherwise where its chunks end elsewhere');
  return whole.code;
}

async function membersOf(
  bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[],
): Promise<{ text: string; code: string | undefined }> {
  const list: unknown[] = [];
  let code: string | undefined;
  try {
    for await (const { name, type, size, link, head, body } of streamTar(chunksOf(bytes))) {
      let sum = 0;
      // Every second body is left unread.
      if (list.length % 2 === 0) for await (const chunk of body) sum += chunk.length;
      list.push([name, type, size, link, Buffer.from(head).toString('latin1'), sum]);
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    code = error.code;
  }
  return { text: JSON.stringify([list, code]), code };
}

async function* chunksOf(bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes;
}
