import { setTimeout as sleep } from 'node:timers/promises';
import { SolpackError } from '../../kernel/events/index.ts';
import { openRegistries, targetFor } from '../../parts/registries/index.ts';
import { cleared, type DeliveryStep } from '../install/index.ts';
import type { ClusterRegistry } from './cluster-registry.ts';
import { answering } from './products.ts';

/** Milliseconds between two questions. */
const PAUSE = 1000;

type Inputs = { readonly registry: string };

/** Makes the step that waits for a registry in the cluster: its Pod may just have been started. */
export function awaitStep(registry: ClusterRegistry): DeliveryStep<Inputs, void> {
  return {
    kind: 'await-registry',
    takes: [cleared],
    gives: answering,
    event: 'await',
    plan: () => [{ subject: registry.url, inputs: { registry: registry.url } }],
    run: (_, { flow }) => awaitRegistry(registry, flow.signal),
  };
}

/**
 * Waits until a registry answers. Throws `registry-unreachable` with what it answered last, and `registry-denied` at
 * once.
 */
async function awaitRegistry(registry: ClusterRegistry, signal: AbortSignal): Promise<void> {
  const end = performance.now() + registry.patience;
  for (;;) {
    const refusal = await whyNot(registry, signal);
    if (refusal === undefined) return;
    if (refusal.code === 'registry-denied') throw refusal;
    if (performance.now() >= end) {
      const waited = `${Math.round(registry.patience / 1000)} s`;
      throw new SolpackError(
        'registry-unreachable',
        registry.url,
        `does not answer after ${waited}: ${refusal.message}`,
        {
          cause: refusal,
          hint: `install ${registry.solution} first, from a "solpack serve", and check that its Pod runs`,
        },
      );
    }
    await sleep(PAUSE, undefined, { signal });
  }
}

/** Returns why a registry cannot be used yet; undefined where it can. */
export async function whyNot(
  { url, options }: Pick<ClusterRegistry, 'url' | 'options'>,
  signal: AbortSignal,
): Promise<SolpackError | undefined> {
  const registries = openRegistries(options);
  try {
    // Any name will do: the registry itself is asked.
    const target = targetFor(url, { registry: 'localhost', repository: 'solpack/seed' });
    await registries.open(target).requireAnswering(signal);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SolpackError) return error;
    throw error;
  } finally {
    registries.close();
  }
}
