import { ask } from '../steps/ask.ts';
import { serve } from '../steps/serve.ts';
import type { ImageDelivery } from './delivery.ts';
import { placeInServe } from './place-in-serve.ts';

/** Where an embedded registry listens, and for how long. */
export interface EmbeddedOptions {
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
  /** Whether it goes on to serve until whoever called the install has enough. */
  readonly hold: boolean;
}

/** Serves images out of the archives, by a registry of the install itself. */
export function embeddedRegistry({ host, port, hold }: EmbeddedOptions): ImageDelivery {
  return {
    steps: [serve({ host, port }), ask({})],
    ...(hold && port !== 0 ? { placeOf: placeInServe } : {}),
    endsWithInstall: true,
    ...(hold ? {} : { warning: SHORT }),
  };
}

const SHORT =
  'it serves no longer than this install: Pods that start later cannot pull; give --hold, or --served-at with a running "solpack serve"';
