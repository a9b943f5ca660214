import type { ComponentMetadata } from '../../formats/solution/metadata.ts';
import {
  asksKinds,
  render as renderComponent,
  type StatedObject,
  type UnpackedComponent,
} from '../components/index.ts';
import type { Event } from '../events.ts';
import type { Flow } from '../flow.ts';
import type { ClusterFacts } from '../model.ts';
import { withDefinitions } from './defined-kinds.ts';
import type { Renderable } from './renderable.ts';

/** How often charts are rendered until they define nothing new: one that defines what another asks for is two. */
const ROUNDS = 8;

/** A component of a Solution, its files written to a folder. */
export interface Unpacked {
  readonly solution: Renderable;
  readonly component: ComponentMetadata;
  readonly folder: string;
}

/** What components are rendered for. */
interface Surroundings {
  readonly cluster: ClusterFacts | undefined;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Renders the components of a Solution as they will be on every later run: the cluster has all that they define then. Those
 * that ask for kinds come last, and again for as long as there are more of these.
 */
export async function renderTogether(
  all: readonly Unpacked[],
  { variables, ...options }: Surroundings,
  flow: Flow,
): Promise<{ readonly objects: readonly (readonly StatedObject[])[]; readonly cluster: ClusterFacts | undefined }> {
  const objects = new Map<Unpacked, readonly StatedObject[]>();
  let { cluster } = options;
  const render = async (one: Unpacked, telling: Flow): Promise<void> => {
    const { kind, name } = one.component;
    flow.onEvent({ type: 'step', step: 'render', subject: `${kind} ${name}` });
    objects.set(one, await renderComponent(kind, asComponent(one, { variables, cluster }), telling));
  };
  const asking = all.filter(({ component }) => asksKinds(component.kind));
  for (const one of all) if (!asking.includes(one)) await render(one, flow);
  const grown = (): ClusterFacts | undefined =>
    cluster &&
    withDefinitions(
      cluster,
      [...objects.values()].flat().map(({ object }) => object),
    );
  cluster = grown();
  let notices: Event[] = [];
  const onEvent = (event: Event): void => {
    if (event.type === 'notice') notices.push(event);
    else flow.onEvent(event);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    notices = [];
    for (const one of asking) await render(one, { ...flow, onEvent });
    const before = cluster;
    cluster = grown();
    if (cluster === before) break;
  }
  for (const notice of notices) flow.onEvent(notice);
  return { objects: all.map((one) => objects.get(one)!), cluster };
}

/** Puts together what the kind of a component is asked to render. */
export function asComponent(
  { solution, component, folder }: Unpacked,
  { cluster, variables }: Surroundings,
): UnpackedComponent {
  const { name, version } = solution.metadata;
  return {
    name: component.name,
    folder,
    entry: component.entry,
    values: component.values,
    namespace: component.namespace,
    release: component.release ?? component.name,
    solution: { name, version },
    cluster,
    variables,
  };
}
