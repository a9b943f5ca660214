import type { Digest } from '../../../formats/digest.ts';
import { startRegistry } from '../../registry-server/index.ts';
import { registryEvents } from '../../solutions/registry-events.ts';
import { servedContent } from '../../solutions/served-content.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import type { DeliveryStep } from '../delivery/delivery.ts';
import { address, verified } from '../products.ts';

/** Where a registry listens. */
type Inputs = { readonly host: string; readonly port: number; readonly roots: readonly Digest[] };

/** Makes the step that starts a registry over the archives, which serves until the plan has been run. */
export function serve({ host, port }: Pick<Inputs, 'host' | 'port'>): DeliveryStep<Inputs, string> {
  return {
    kind: 'serve',
    takes: [verified],
    gives: address,
    plan: ({ archives }) => [{ subject: `${host}:${port}`, inputs: { host, port, roots: rootsOf(archives) } }],
    run: async ({ inputs }, { means, flow, keep }) => {
      const contents = await Promise.all(archivesOf(means.archives, inputs.roots).map(servedContent));
      const listen = { host: inputs.host, port: inputs.port };
      const registry = await startRegistry(contents, { ...listen, ...registryEvents(flow) });
      keep({ [Symbol.asyncDispose]: () => registry.close() });
      return registry.url;
    },
  };
}
