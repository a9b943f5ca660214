import { isManifestType } from '../../../formats/oci/descriptor.ts';
import { claimantOf, leftError } from './claimant.ts';
import type { HeldContent } from './content.ts';
import { parseRange } from './range.ts';
import { type Exchange, Refusal } from './reply.ts';
import type { Shelf } from './repository.ts';

/**
 * Answers with a manifest or a blob, or with a range of it (distribution-spec "Pull"; RFC 9110, 14). Damage in the
 * first chunk is answered with an error; later damage breaks the connection.
 */
export async function deliver(exchange: Exchange, held: HeldContent, { integrity, memory }: Shelf): Promise<void> {
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
  const loan = memory.loan(claimantOf(exchange));
  const chunks = integrity.read(held, range, loan.take)[Symbol.asyncIterator]();
  try {
    // The first chunk is read before the head is sent, so that damage in it can still be answered with an error.
    const first = await chunks.next();
    if (range === undefined) response.writeHead(200, { ...headers, 'content-length': size });
    else {
      const { start, end } = range;
      const part = { 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${size}` };
      response.writeHead(206, { ...headers, ...part });
    }
    for (let next = first; !next.done; next = await chunks.next()) {
      loan.waits();
      await write(exchange, next.value);
      exchange.count(next.value.length);
      loan.give();
    }
  } finally {
    loan.give();
    await chunks.return?.();
  }
  response.end();
}

/**
 * Writes a chunk. Resolves once the system has taken all of it; rejects where the client has disconnected, when nobody
 * reads the chunk any longer.
 */
function write({ request: { socket }, response }: Exchange, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(leftError());
    if (socket.closed) return gone();
    socket.once('close', gone);
    response.write(chunk, (error) => {
      // The system may read a chunk that it did not write until the connection is closed.
      if (error) return;
      socket.off('close', gone);
      resolve();
    });
  });
}

/** Decides whether `If-None-Match` names the content (RFC 9110, 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
