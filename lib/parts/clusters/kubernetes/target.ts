import type { Flow } from '../../../kernel/events/flow.ts';
import type { ClusterTarget } from '../kind.ts';
import { applyRequest, foreseeRequest } from './apply/apply-request.ts';
import { examineRequest } from './apply/examine/index.ts';
import { readPreviousVersion } from './apply/read-previous-version.ts';
import { readConfigurations, readContent, readGenerations } from './memory/generations/store.ts';
import { inventoryEntries, readInventories } from './memory/inventories.ts';
import { readRecord } from './memory/records/record.ts';
import { readNodes } from './observe/nodes.ts';
import { readClusterSettings } from './observe/settings/index.ts';
import { takeSnapshot } from './observe/snapshot/index.ts';
import { readStatus } from './observe/status/index.ts';
import { repairConfiguration } from './observe/status/repair.ts';
import { withoutSecrets } from './observe/without-secrets.ts';
import type { KubernetesApi } from './server/api.ts';
import { clusterError } from './server/client/failure.ts';
import { factsOf } from './server/cluster-facts.ts';
import type { LookupMemory } from './server/lookup/answer.ts';
import { serveLookups } from './server/lookup/index.ts';
import { requestedSecrets } from './server/secret-texts.ts';
import type { ApplySession } from './server/session.ts';

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
