import type { Answer } from './answer.ts';
import { exchange } from './exchange.ts';
import type { Request } from './request.ts';
import { type ConnectionSettings, createRoutes } from './routes.ts';
import type { HttpTiming } from './timing.ts';

/** Sends single requests over kept connections. */
export interface Transport {
  /** Sends a request; `timing` counts for this one alone. The answer may have any status. */
  send(request: Request, timing?: HttpTiming): Promise<Answer>;
  close(): void;
}

/** Makes a transport whose connections are made as `settings` say. */
export function createTransport(usual: HttpTiming, settings: ConnectionSettings = {}): Transport {
  const routes = createRoutes(settings);
  return {
    send: async (request, timing = usual) => {
      request.signal?.throwIfAborted();
      return exchange(request, await routes.to(request.url), timing);
    },
    close: () => routes.close(),
  };
}
