import { claimantOf } from './claimant.ts';
import { type Exchange, type Headers, reply } from './reply.ts';
import type { SharedMemory } from './shared-memory.ts';

/**
 * A list as it is sent: at most so many bytes are in memory for it, from when it is made until the client has read it.
 */
export interface SentList {
  readonly cost: number;
  readonly headers: Headers;
  make(): Promise<Uint8Array>;
}

/** Answers with a list, once there is memory for it. Throws `Refusal` 503 where there is none for long. */
export async function sendList(exchange: Exchange, memory: SharedMemory, list: SentList): Promise<void> {
  const loan = memory.loan(claimantOf(exchange));
  await loan.claim(list.cost);
  try {
    const bytes = await list.make();
    loan.waits();
    reply(exchange, 200, bytes, list.headers);
    await sent(exchange);
  } finally {
    loan.give();
  }
}

/** Waits until the system has taken the answer, or the client has gone. */
function sent({ request: { socket }, response }: Exchange): Promise<void> {
  return new Promise((resolve) => {
    if (response.writableFinished || socket.destroyed) return resolve();
    response.once('finish', resolve);
    response.once('close', resolve);
  });
}
