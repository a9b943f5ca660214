import type { Bytes } from '../../../formats/bytes.ts';
import { addressOf } from './file-address.ts';
import { remoteFailure, statusFailure } from './remote-failure.ts';
import { usualTiming } from './timing.ts';

/**
 * Streams the file at `url` from its first byte to its last; what it holds is not checked. Throws `file-missing`,
 * `remote-denied`, `remote-error`, `remote-unreachable`.
 */
export async function* openAddress(url: URL, signal?: AbortSignal): Bytes {
  const address = addressOf(url, usualTiming, {}, signal);
  try {
    const answer = await address.get({});
    if (answer.status !== 200) {
      answer.discard();
      throw statusFailure(address.name, answer.status);
    }
    yield* answer.read();
  } catch (error) {
    signal?.throwIfAborted();
    throw remoteFailure(address.name, address.url, error);
  } finally {
    address.close();
  }
}
