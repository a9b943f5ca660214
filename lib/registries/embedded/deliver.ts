import { pipeline } from 'node:stream/promises';
import type { Bytes } from '../../../formats/bytes.ts';
import { isManifestType } from '../../../formats/oci/descriptor.ts';
import type { Held } from './content.ts';
import type { Integrity } from './integrity.ts';
import { parseRange } from './range.ts';
import { type Exchange, Refusal } from './reply.ts';

/**
 * Answers with a manifest or a blob, or a range of it (distribution-spec "Pull"; RFC 9110, 14). Content whose first
 * chunk is wrong already is an error; what turns out wrong later ends in a broken connection.
 */
export async function deliver(exchange: Exchange, held: Held, integrity: Integrity): Promise<void> {
  const { request, response } = exchange;
  const { digest, size, mediaType } = held.descriptor;
  const etag = `"${digest}"`;
  const headers = {
    'content-type': isManifestType(mediaType) ? mediaType : 'application/octet-stream',
    'docker-content-digest': digest,
    'accept-ranges': 'bytes',
    etag,
  };
  if (matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  if (request.method === 'HEAD') {
    response.writeHead(200, { ...headers, 'content-length': size }).end();
    return;
  }
  const current = request.headers['if-range'];
  const range = current === undefined || current === etag ? parseRange(request.headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    const reply = { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes', etag };
    throw new Refusal(416, 'SIZE_INVALID', `the range is not within the ${size} bytes of ${digest}`, reply);
  }
  const chunks = integrity.read(held, range)[Symbol.asyncIterator]();
  // The first chunk comes before the head of the answer, so that damage found by then gets a proper error.
  const first = await chunks.next();
  if (range === undefined) response.writeHead(200, { ...headers, 'content-length': size });
  else {
    const { start, end } = range;
    const length = end - start + 1;
    response.writeHead(206, { ...headers, 'content-length': length, 'content-range': `bytes ${start}-${end}/${size}` });
  }
  await pipeline(counted(first, chunks, exchange.count), response);
}

async function* counted(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
  count: (bytes: number) => void,
): Bytes {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      yield next.value;
      count(next.value.length);
    }
  } finally {
    await rest.return?.();
  }
}

/** Whether `If-None-Match` names the content (RFC 9110, 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
