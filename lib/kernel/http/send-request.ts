import type { Answer } from './answer.ts';
import { follow } from './redirect.ts';
import type { Request } from './request.ts';
import { persist, usualPolicy } from './retry.ts';
import type { HttpTiming } from './timing.ts';
import type { Transport } from './transport.ts';

/**
 * Sends a request, follows redirects, and tries again where the server or the network may recover, as long as the
 * body can still be sent from its start. Returns the answer of the last attempt, whatever its status.
 */
export async function sendRequest(transport: Transport, request: Request, timing: HttpTiming): Promise<Answer> {
  const { answer } = await persist(() => follow(transport, request), {
    policy: usualPolicy,
    timing,
    signal: request.signal,
    mayRepeat: () => request.body?.fresh() !== false,
    discard: (refused) => refused.discard(),
  });
  return answer;
}
