import type { Flow } from '../../../../kernel/events/index.ts';
import { PART_OF, parseGroupKind } from '../desired/index.ts';
import { readInventories } from '../memory/index.ts';
import type { ApplySession, WatchingApi } from '../server/index.ts';
import { persistently } from './persistently.ts';

/**
 * Watches the objects of all Solutions of a configuration, by type and metadata: each kind in one watch. It begins with
 * all that is there, so that nothing is missed between two of them.
 */
export async function watchInventory(
  configuration: string,
  { api, ...session }: Omit<ApplySession, 'api'> & { readonly api: WatchingApi },
  onChange: () => void,
): Promise<never> {
  const { flow } = session;
  const { sets, groupKinds } = await setsOf(configuration, { ...session, api });
  const discovery = await api.discover(flow.signal, true);
  const resources = [...groupKinds].flatMap((one) => {
    const { group, kind } = parseGroupKind(one);
    return discovery.preferred(group, kind) ?? [];
  });
  const labels = `${PART_OF} in (${sets.join(',')})`;
  const watches = resources
    .filter(({ verbs }) => verbs.includes('watch'))
    .map((resource) =>
      persistently(api.server, flow, () => {
        return api.watch(resource, { labels, metadata: true }, { begin: onChange, change: onChange }, flow.signal);
      }),
    );
  await Promise.all([ended(flow), ...watches]);
  throw flow.signal.reason;
}

async function setsOf(
  configuration: string,
  session: ApplySession,
): Promise<{ sets: readonly string[]; groupKinds: ReadonlySet<string> }> {
  const all = await readInventories(session);
  const own = [...all].filter(([, inventory]) => inventory.configuration === configuration);
  return { sets: own.map(([set]) => set), groupKinds: new Set(own.flatMap(([, { groupKinds }]) => [...groupKinds])) };
}

/** Rejects once the flow is aborted. */
function ended({ signal }: Flow): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
