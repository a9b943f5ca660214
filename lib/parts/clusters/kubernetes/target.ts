import type { Flow } from '../../../kernel/events/index.ts';
import type { ClusterTarget } from '../kind.ts';
import { applyRequest, examineRequest, foreseeRequest, readPreviousVersion } from './apply/index.ts';
import {
  inventoryEntries,
  readConfigurations,
  readContent,
  readGenerations,
  readInventories,
  readOutside,
  readRecord,
} from './memory/index.ts';
import {
  readClusterSettings,
  readNodes,
  readStatus,
  repairConfiguration,
  takeSnapshot,
  withoutSecrets,
} from './observe/index.ts';
import {
  type ApplySession,
  clusterError,
  factsOf,
  type KubernetesApi,
  type LookupMemory,
  requestedSecrets,
  serveLookups,
} from './server/index.ts';

/** Makes a target of an API server. It connects on first use, until it is disposed of or the flow is aborted. */
export function targetOver(
  name: string,
  connect: (flow: Flow) => Promise<KubernetesApi>,
  settings: Pick<ApplySession, 'timing' | 'force'>,
): ClusterTarget {
  let opened: KubernetesApi | undefined;
  const close = async (): Promise<void> => {
    const closing = opened;
    opened = undefined;
    await closing?.close();
  };
  const using = async <T>(flow: Flow, work: (session: ApplySession) => Promise<T>): Promise<T> => {
    if (opened === undefined) {
      opened = await connect(flow);
      flow.signal.addEventListener('abort', () => void close(), { once: true });
    }
    const { server } = opened;
    try {
      return await work({ ...settings, api: opened, flow });
    } catch (error) {
      flow.signal.throwIfAborted();
      throw clusterError(error, server);
    }
  };
  const looked: LookupMemory = { found: new Map() };
  return {
    name,
    facts: (flow) => using(flow, async ({ api }) => factsOf(await api.discover(flow.signal))),
    inventory: (flow) => using(flow, async (session) => inventoryEntries(await readInventories(session))),
    outside: (flow) => using(flow, readOutside),
    recorded: (solution, about, flow) => using(flow, (session) => readRecord({ solution, about }, session)),
    configurations: (flow) => using(flow, readConfigurations),
    generations: (configuration, flow) => using(flow, (session) => readGenerations(configuration, session)),
    generationContent: (configuration, number, flow) =>
      using(flow, (session) => readContent(configuration, number, session)),
    snapshot: (flow) => using(flow, takeSnapshot),
    lookups: (facts, flow, limit) => using(flow, (session) => serveLookups(facts, looked, session, limit)),
    foresee: (request, flow) => using(flow, (session) => foreseeRequest(request, session)),
    previousVersion: (solution, version, flow) =>
      using(flow, (session) => readPreviousVersion(solution, version, session)),
    settings: (flow) => using(flow, readClusterSettings),
    whyNotReady: (flow) => using(flow, ({ api }) => api.whyNotReady(flow.signal)),
    nodes: (flow) => using(flow, readNodes),
    examine: (request, flow) => using(flow, (session) => examineRequest(request, session)),
    apply: (request, flow) =>
      using(flow, (session) => {
        const api = withoutSecrets(session.api, requestedSecrets(request));
        return applyRequest(request, { ...session, api });
      }),
    status: (configuration, flow) => using(flow, (session) => readStatus(configuration, session)),
    repair: (configuration, solution, flow, permit) =>
      using(flow, (session) => repairConfiguration({ configuration, solution, permit }, session)),
    [Symbol.asyncDispose]: close,
  };
}
