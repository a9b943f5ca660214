import type { ExposedObject } from '../../../kind.ts';
import type { ApplyPlan, PlannedObject } from '../../desired/index.ts';
import { type ApplySession, ifReadable, wordsOf } from '../../server/index.ts';
import { addressesOf, mayBeExposed, NODES_SHOWN, nodeAddresses } from './addresses.ts';

/**
 * Returns where objects of a plan answer from outside of the cluster, in their order, as its controllers have reported
 * by now. What may not be read is left out.
 */
export async function readExposed(plan: ApplyPlan, session: ApplySession): Promise<readonly ExposedObject[]> {
  const { api, flow } = session;
  const { signal } = flow;
  const exposed: ExposedObject[] = [];
  let nodes: readonly string[] | undefined;
  for (const { name } of candidates(plan)) {
    const live = await ifReadable(signal, undefined, () => api.read(name, signal));
    if (live === undefined) continue;
    if (live.kind === 'Service') nodes ??= await readNodeAddresses(session);
    const addresses = addressesOf(live, nodes ?? []);
    if (addresses.length > 0) exposed.push({ object: wordsOf(name), addresses });
  }
  return exposed;
}

function candidates({ solutions }: ApplyPlan): PlannedObject[] {
  const objects = solutions.flatMap(({ components }) => components.flatMap((component) => component.objects));
  return objects.filter(({ object }) => mayBeExposed(object));
}

async function readNodeAddresses({ api, flow: { signal } }: ApplySession): Promise<readonly string[]> {
  const resource = (await api.discover(signal)).find('v1', 'Node');
  const listed =
    resource && (await ifReadable(signal, undefined, () => api.list(resource, { atMost: NODES_SHOWN }, signal)));
  return nodeAddresses(listed ?? []);
}
