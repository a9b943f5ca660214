import { createHash } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Bytes, once } from '../../../formats/bytes.ts';
import { type Decompression, decompress } from '../../../formats/decompress.ts';
import { inPieces, type Parser, parsers } from '../parser.ts';
import type { Random } from '../random.ts';
import { isRefusal, must } from '../violation.ts';

const MIB = 1024 * 1024;
const texts = [Buffer.from('some text, '.repeat(40)), Buffer.alloc(200_000), Buffer.from('x')];

/** Streams of gzip and zstd, as in layers and charts. */
export const streams = parsers('streams', 60, '', {
  gzip: parser('gzip', (bytes) => gzipSync(bytes, { level: 1 })),
  zstd: parser('zstd', (bytes) => zstdCompressSync(bytes)),
});

function parser(algorithm: Decompression['algorithm'], pack: (bytes: Buffer) => Buffer): Parser {
  const members = texts.map(pack);
  // Several members, and a stream that begins with a skippable frame.
  const skipped = Buffer.concat([Buffer.from('502a4d1803000000616263', 'hex'), members[0]!]);
  const samples = [...members, Buffer.concat(members), ...(algorithm === 'zstd' ? [skipped] : [])];
  return { samples, read: (bytes, random) => read(algorithm, bytes, random) };
}

/** Decompresses a stream in one piece and in many, and compares the results. */
async function read(algorithm: Decompression['algorithm'], bytes: Buffer, random: Random): Promise<string | undefined> {
  const whole = await outcomeOf(algorithm, once(bytes));
  const pieces = await outcomeOf(algorithm, inPieces(bytes, random));
  must(whole.size <= 16 * MIB, 'more is decompressed than the bounds allow');
  const same = whole.code === pieces.code && (whole.code !== undefined || whole.digest === pieces.digest);
  must(same, `a stream of ${algorithm} is read otherwise where its chunks end elsewhere`);
  return whole.code;
}

async function outcomeOf(
  algorithm: Decompression['algorithm'],
  bytes: Bytes,
): Promise<{ code: string | undefined; digest: string; size: number }> {
  const hash = createHash('sha256');
  let [size, code] = [0, undefined as string | undefined];
  const bounds = {
    code: 'layer-invalid',
    ratio: 200,
    free: 4 * MIB,
    budget: { left: 16 * MIB },
    total: 16 * MIB,
  } as const;
  try {
    for await (const chunk of decompress(bytes, { algorithm, ...bounds })) {
      size += chunk.length;
      hash.update(chunk);
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    code = error.code;
  }
  return { code, digest: hash.digest('hex'), size };
}
