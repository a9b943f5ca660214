import { type Digest, sha256 } from '../../../../../formats/digest.ts';
import type { LayerCompression } from '../../../../../formats/plain-layer.ts';
import { unpackedEncoder } from '../../../../parts/archives/index.ts';

/** A compressor of layers, as WebAssembly. `scripts/encoders.ts` builds it. */
interface Encoder {
  /** Loads it, compressed by zstd, in base64. */
  load(): Promise<{ readonly zstd: string }>;
}

/** An encoder, loaded. */
export interface LoadedEncoder {
  /** Of the compressed bytes. */
  readonly digest: Digest;
  readonly packed: Uint8Array;
  /** Decompressed, as it is run. */
  readonly module: Uint8Array;
}

/** An encoder with the arguments by which it may have made a layer. */
export interface EncoderCandidate {
  readonly name: keyof typeof encoders;
  readonly arguments: readonly string[];
}

const encoders = {
  'go1.26-gzip': {
    load: async () => (await import('./encoders/go1.26-gzip.json', { with: { type: 'json' } })).default,
  },
  'go1.27-gzip': {
    load: async () => (await import('./encoders/go1.27-gzip.json', { with: { type: 'json' } })).default,
  },
  'klauspost-gzip': {
    load: async () => (await import('./encoders/klauspost-gzip.json', { with: { type: 'json' } })).default,
  },
  'klauspost-zstd': {
    load: async () => (await import('./encoders/klauspost-zstd.json', { with: { type: 'json' } })).default,
  },
} as const satisfies Record<string, Encoder>;

const loaded = new Map<EncoderCandidate['name'], Promise<LoadedEncoder>>();

/** Loads an encoder, once. */
export function loadEncoder(name: EncoderCandidate['name']): Promise<LoadedEncoder> {
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
}

async function load(name: EncoderCandidate['name']): Promise<LoadedEncoder> {
  const packed = Buffer.from((await encoders[name].load()).zstd, 'base64');
  return { digest: sha256(packed), packed, module: await unpackedEncoder(packed) };
}

/** Bytes of a block of pgzip, as it is by default. */
const PGZIP_BLOCK = String(1024 * 1024);

/** What encoders of Go write into byte 9 of a member: that the system is unknown (RFC 1952, "OS"). */
const UNKNOWN_SYSTEM = 255;

/** The levels that a header of Go stands for, by its byte 8 (RFC 1952, "XFL"). */
const levels: Readonly<Record<number, readonly string[]>> = {
  0: ['-1', '5', '4', '3', '2', '7', '8'],
  2: ['9'],
  4: ['1'],
};

/** Lists what may have made the layer that begins with `head`, the likeliest first: none where no encoder of Go has. */
export function candidatesFor(compression: LayerCompression, head: Uint8Array): EncoderCandidate[] {
  if (compression === 'zstd')
    return ['2', '1', '3', '4'].map((level) => ({ name: 'klauspost-zstd', arguments: [level] }));
  if (compression === 'none' || head[9] !== UNKNOWN_SYSTEM) return [];
  return (levels[head[8]!] ?? []).flatMap((level): EncoderCandidate[] => [
    { name: 'go1.26-gzip', arguments: [level] },
    { name: 'go1.27-gzip', arguments: [level] },
    { name: 'klauspost-gzip', arguments: [level, PGZIP_BLOCK] },
    { name: 'klauspost-gzip', arguments: [level] },
  ]);
}
