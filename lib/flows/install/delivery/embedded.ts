import { isIPv6 } from 'node:net';
import type { Digest } from '../../../../formats/digest.ts';
import { faultsOf } from '../../../kernel/events/index.ts';
import { requireFree, startRegistry } from '../../../parts/registry-server/index.ts';
import { byTagPrecedence, registryEvents, servedContent } from '../../../shared/solutions/registries/index.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import { cleared, verifiedArchive } from '../products.ts';
import { askStep } from './ask-step.ts';
import { address, type DeliveryStep, type ImageDelivery } from './delivery.ts';
import { servedTarget } from './served-target.ts';

/** Where an embedded registry listens, and for how long. */
export interface EmbeddedOptions {
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
  /** Whether it continues to serve until whoever called the install has enough. */
  readonly hold?: boolean | undefined;
}

const SHORT =
  'it serves only until this install ends: Pods that start later cannot pull; give --hold, or --served-at with a running "solpack serve"';

/** Serves images from the archives, by a registry of the install itself. */
export function embeddedRegistry({ host, port, hold }: EmbeddedOptions): ImageDelivery {
  return {
    steps: [serveStep(host, port), askStep({})],
    ...(port === 0 ? {} : { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` }),
    examine: () => faultsOf(() => requireFree({ host, port })),
    ...(hold && port !== 0 ? { targetOf: servedTarget } : {}),
    endsWithInstall: true,
    ...(hold ? {} : { warning: SHORT }),
  };
}

/** Where a registry listens, and what it serves. */
type Inputs = { readonly host: string; readonly port: number; readonly roots: readonly Digest[] };

/** Makes the step that starts a registry over the archives, which serves until the plan has been run. */
function serveStep(host: string, port: number): DeliveryStep<Inputs, string> {
  return {
    kind: 'serve',
    takes: [verifiedArchive, cleared],
    gives: address,
    plan: ({ archives }) => [{ subject: `${host}:${port}`, inputs: { host, port, roots: rootsOf(archives) } }],
    run: async ({ inputs }, { means, flow, keep }) => {
      const archives = byTagPrecedence(archivesOf(means.archives, inputs.roots), ({ catalog }) => catalog.metadata);
      const contents = await Promise.all(archives.map(servedContent));
      const listen = { host: inputs.host, port: inputs.port };
      const registry = await startRegistry(contents, { ...listen, ...registryEvents(flow) });
      keep({ [Symbol.asyncDispose]: () => registry.close() });
      return registry.url;
    },
    foresee: async ({ inputs }) => {
      const host = isIPv6(inputs.host) ? `[${inputs.host}]` : inputs.host;
      return { output: `http://${host}:${inputs.port}`, actions: [] };
    },
  };
}
