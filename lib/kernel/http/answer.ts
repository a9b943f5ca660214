import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Bytes, collect } from '../../../formats/bytes.ts';
import { idleTimer } from './idle-timer.ts';
import type { HttpTiming } from './timing.ts';
import { StalledError } from './transport-errors.ts';

/** An answer whose head has arrived; its body waits to be read or discarded. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Where it came from, after redirects. */
  readonly url: URL;
  /** The address that was connected to; undefined where a proxy lies between. */
  readonly peer?: string | undefined;
  /** Streams the body; leaving early ends the connection. */
  read(): Bytes;
  /** Gathers at most `limit` bytes of the body; throws `FormatError` `size-mismatch` where there are more. */
  gather(limit: number): Promise<Uint8Array>;
  /** Lets go of the body. */
  discard(): void;
}

/** How much has to come in the time for the next bytes, in bytes: a byte now and then is as good as nothing. */
const LEAST = 1024;

/** How much of a body nobody wants is read, so that its connection can be used again. */
const DISCARD = 64 * 1024;

/** Makes the answer of what Node.js received from `url`. Reading throws `StalledError` where nothing more comes. */
export function answerOf(message: IncomingMessage, url: URL, timing: HttpTiming, peer?: string): Answer {
  const read = (): Bytes => bytesOf(message, timing);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    url,
    peer,
    read,
    gather: (limit) => collect(read(), limit),
    discard: () => discard(message),
  };
}

async function* bytesOf(message: IncomingMessage, { idle: patience, least = LEAST }: HttpTiming): Bytes {
  const chunks = message[Symbol.asyncIterator]();
  const idle = idleTimer(patience, () => message.destroy(new StalledError(patience, true)));
  let moved = least;
  try {
    for (;;) {
      if (moved < least) idle.resume();
      else idle.restart();
      moved = moved < least ? moved : 0;
      const next: IteratorResult<Uint8Array> = await chunks.next();
      idle.pause();
      if (next.done) return;
      moved += next.value.length;
      yield next.value;
    }
  } finally {
    idle.pause();
    message.destroy();
  }
}

function discard(message: IncomingMessage): void {
  message.on('error', () => undefined);
  if (Number(message.headers['content-length'] ?? 0) > DISCARD) return void message.destroy();
  let left = DISCARD;
  // Where no length is announced, only the received bytes show it.
  message.on('data', (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) message.destroy();
  });
}
