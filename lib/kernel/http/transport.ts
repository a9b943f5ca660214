import type { Answer } from './answer.ts';
import type { Request } from './request.ts';
import type { HttpTiming } from './timing.ts';

/** Sends single requests over kept connections. */
export interface Transport {
  /** Sends a request; `timing` counts for this one alone. The answer may have any status. */
  send(request: Request, timing?: HttpTiming): Promise<Answer>;
  close(): void;
}
