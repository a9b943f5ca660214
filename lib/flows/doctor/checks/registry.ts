import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import { openRegistries } from '../../../parts/registries/index.ts';
import { type DoctorSurroundings, failing, type HealthCheck } from '../check.ts';
import { inTime } from '../in-time.ts';
import { registryOf } from '../own-address.ts';
import type { HealthFinding } from '../request.ts';

/** How long a registry may take, in milliseconds. */
const timing = { connect: 5_000, idle: 5_000, pause: 250, total: 3_000 };

/**
 * Asks the registry of the profile, or its `serve` where that is another machine's or speaks TLS, as an install would.
 */
export const registryCheck: HealthCheck = {
  code: 'registry',
  purposes: ['install'],
  look: async (surroundings, flow) => {
    const address = registryOf(surroundings.said);
    if (address === undefined) return [];
    return inTime(address, 'check the address, the network and its firewalls', flow, (own) =>
      asked(address, surroundings, own),
    );
  },
};

async function asked(
  address: string,
  { said, request }: DoctorSurroundings,
  { signal }: Flow,
): Promise<readonly HealthFinding[]> {
  const options = await request.registriesBy(said);
  const registries = openRegistries({ ...options, signal, timing });
  const { protocol, host } = new URL(address);
  try {
    const scheme = protocol === 'https:' ? 'https' : 'http';
    // What is asked for is the registry's own, and no repository's.
    await registries.open({ scheme, registry: host, repository: 'any' }).requireAnswering(signal);
    return [{ state: 'ok', subject: address, message: 'answers' }];
  } catch (error) {
    if (error instanceof SolpackError) return [failing(error, address)];
    throw error;
  } finally {
    registries.close();
  }
}
