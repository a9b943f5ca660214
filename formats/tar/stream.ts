import type { Bytes } from '../bytes.ts';
import { BLOCK, type Block, bad, decodeBlock, NAME_LIMIT } from './block.ts';
import { decodePax, type PaxRecords } from './pax.ts';
import { Pull } from './pull.ts';

/** How large the body of one pax header may be, in bytes; extended attributes lie there. */
const PAX_LIMIT = 1024 * 1024;

/** How many bytes of a file are reported beforehand. */
export const HEAD = 4;

/** An entry of a tar stream, its names as stored. What is not UTF-8 in them is a replacement character. */
export interface StreamMember {
  readonly name: string;
  /** Sparse files are among the others: their bytes are not in one piece. */
  readonly type: 'file' | 'dir' | 'symlink' | 'hardlink' | 'other';
  /** Of a file, in bytes. */
  readonly size: number;
  /** What a link points to; '' for all else. */
  readonly link: string;
  /** Permission bits. */
  readonly mode: number;
  /** The first bytes of a file, as many as `HEAD` or all that it has. */
  readonly head: Uint8Array;
  /** The content of a file; what is left unread when the next entry is asked for is skipped. */
  readonly body: Bytes;
}

interface Pending {
  pax?: PaxRecords;
  name?: string;
  link?: string;
}

const types: Readonly<Record<string, StreamMember['type']>> = {
  '0': 'file',
  '7': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'dir',
};
/**
 * Entries that have no bytes, whatever their size says: Go's archive/tar, which runtimes read layers with, has it so.
 */
const headerOnly = new Set(['1', '2', '3', '4', '5', '6']);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The entries of a tar stream in order, as container runtimes read the layers of images (image-spec "Image Layer
 * Filesystem Changeset"): more forgiving than `openTar`, whose archives this project answers for. An end marker may be
 * missing, and what follows it is read to the end and ignored. Throws `FormatError` `tar-header`, and `layer-invalid`
 * where the stream ends within an entry.
 */
export async function* streamTar(bytes: Bytes): AsyncGenerator<StreamMember, void, undefined> {
  const source = new Pull(bytes, 'layer-invalid');
  let pending: Pending = {};
  try {
    for (let at = 0; ; ) {
      const block = await source.block();
      const header = block && decodeBlock(block, at);
      if (!header) break;
      const isExtension = 'xgLK'.includes(header.type);
      const size = isExtension ? header.size : sizeOf(header, pending);
      if (isExtension) {
        await noteExtension(pending, header, source, at);
      } else {
        const head = await source.ahead(Math.min(HEAD, size));
        yield { ...memberOf(header, pending), size, head, body: source.body(size) };
        await source.skip();
        pending = {};
      }
      at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    }
    await source.rest();
  } finally {
    await source.close();
  }
}

function sizeOf(header: Block, { pax }: Pending): number {
  return headerOnly.has(header.type) ? 0 : (pax?.size ?? header.size);
}

function memberOf(header: Block, { pax, name, link }: Pending): Pick<StreamMember, 'name' | 'type' | 'link' | 'mode'> {
  const path = pax?.path ?? name ?? textOf(header.name);
  const isSparse = pax?.sparse !== undefined;
  const stored = isSparse ? 'other' : (types[header.type] ?? 'other');
  // Before POSIX, a folder was a file whose name ends in a slash.
  const type = stored === 'file' && path.endsWith('/') ? 'dir' : stored;
  const target = type === 'hardlink' || type === 'symlink' ? (pax?.linkpath ?? link ?? textOf(header.link)) : '';
  return { name: path, type, link: target, mode: header.mode };
}

async function noteExtension(pending: Pending, { type, size }: Block, source: Pull, at: number): Promise<void> {
  const isPax = type === 'x' || type === 'g';
  const body = await source.extension(size, isPax ? PAX_LIMIT : NAME_LIMIT + 1);
  if (type === 'x') {
    if (pending.pax) throw bad('is a second pax header for one entry', at);
    pending.pax = decodePax(body, at, textOf);
  } else if (type === 'g') {
    // Where the next header lies would depend on who reads.
    if (decodePax(body, at, textOf).size !== undefined) throw bad('sets a size for all entries', at);
  } else {
    const end = body.indexOf(0);
    pending[type === 'L' ? 'name' : 'link'] = textOf(end < 0 ? body : body.subarray(0, end));
  }
}

function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
