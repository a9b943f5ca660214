import type { ChartTraits } from '../../../formats/chart/text-traits.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import type { Event, Flow } from '../../kernel/events/index.ts';
import {
  type ComponentKindName,
  render as renderComponent,
  type StatedObject,
  traitsOf,
  type UnpackedComponent,
} from '../../parts/components/index.ts';
import { withDefinitions, withKinds } from './defined-kinds.ts';
import type { Unpacked } from './unpacked.ts';

/** How often charts are rendered until they define nothing new: one that defines what another asks for is two. */
const ROUNDS = 8;

/** What components are rendered for. */
export interface Surroundings {
  readonly cluster: ClusterFacts | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** How each is rendered; left out: always anew. */
  readonly renderings?: Renderings | undefined;
}

/** Gets a component that could not be rendered; the others continue, unless it throws. */
export type OnRefusal = (component: Unpacked, error: unknown) => void;

/** A way to render components. */
export interface Renderings {
  traits(kind: ComponentKindName, component: UnpackedComponent, flow: Flow): Promise<ChartTraits>;
  render(kind: ComponentKindName, component: UnpackedComponent, flow: Flow): Promise<readonly StatedObject[]>;
}

const anew: Renderings = { traits: traitsOf, render: renderComponent };

/** What components became, in their order, and the cluster that they have made by then. */
export interface Settled {
  readonly objects: readonly (readonly StatedObject[])[];
  readonly cluster: ClusterFacts | undefined;
}

/**
 * Renders the components of a Solution as they will be on every later run: the cluster has all that they define then.
 * Those that ask for kinds come last, and again for as long as there are others of these than they were rendered for.
 */
export async function renderTogether(
  all: readonly Unpacked[],
  { variables, cluster: base, renderings = anew }: Surroundings,
  flow: Flow,
  onRefusal?: OnRefusal,
): Promise<Settled> {
  const objects = new Map<Unpacked, readonly StatedObject[]>();
  const notices = new Map<Unpacked, Event[]>();
  const render = async (one: Unpacked, cluster: ClusterFacts | undefined): Promise<void> => {
    const { kind, name } = one.component;
    flow.onEvent({ type: 'step', step: 'render', subject: `${kind} ${name}` });
    const held: Event[] = [];
    const onEvent = (event: Event): unknown => (event.type === 'notice' ? held.push(event) : flow.onEvent(event));
    try {
      objects.set(one, await renderings.render(kind, asComponent(one, { variables, cluster }), { ...flow, onEvent }));
    } catch (error) {
      if (onRefusal === undefined) throw error;
      onRefusal(one, error);
      objects.set(one, []);
    }
    notices.set(one, held);
  };
  const traits = new Map<Unpacked, ChartTraits>();
  for (const one of all) {
    const component = asComponent(one, { variables, cluster: base });
    traits.set(one, await renderings.traits(one.component.kind, component, flow));
  }
  const asking = all.filter((one) => traits.get(one)!.asksKinds);
  for (const one of all) if (!asking.includes(one)) await render(one, base);
  const defined = (from: ClusterFacts | undefined): ClusterFacts | undefined =>
    from &&
    withDefinitions(
      from,
      [...objects.values()].flatMap((stated) => stated.map(({ object }) => object)),
    );
  const guessed = [...traits.values()].flatMap(({ defines }) => defines);
  let cluster = asking.length === 0 ? defined(base) : guess(defined(base), guessed);
  for (let round = 0; asking.length > 0 && round < ROUNDS; round += 1) {
    for (const one of asking) await render(one, cluster);
    // What was guessed and is not so must not have been seen.
    const now = round === 0 ? defined(base) : defined(cluster);
    if (sameKinds(cluster, now)) break;
    cluster = now;
  }
  for (const one of all) for (const notice of notices.get(one)!) flow.onEvent(notice);
  return { objects: all.map((one) => objects.get(one)!), cluster };
}

function guess(cluster: ClusterFacts | undefined, kinds: readonly string[]): ClusterFacts | undefined {
  return cluster && withKinds(cluster, kinds);
}

function sameKinds(a: ClusterFacts | undefined, b: ClusterFacts | undefined): boolean {
  const known = new Set(a?.apiVersions);
  return known.size === new Set(b?.apiVersions).size && (b?.apiVersions ?? []).every((one) => known.has(one));
}

/** Puts together what the kind of a component is asked to render. */
export function asComponent(
  { solution, component, folder, files, siteValues = [], siteKeepsDrawn, parsed }: Unpacked,
  { cluster, variables }: Surroundings,
): UnpackedComponent {
  const { name, version } = solution.metadata;
  return {
    name: component.name,
    folder,
    files,
    entry: component.entry,
    values: [...component.values, ...siteValues],
    namespace: component.namespace,
    release: component.release ?? component.name,
    ...(component.skipSchemaValidation ? { skipSchemaValidation: true } : {}),
    ...((siteKeepsDrawn ?? component.keepDrawn) ? { keepDrawn: true } : {}),
    solution: { name, version },
    ...(solution.moved ? { instance: solution.moved.instance } : {}),
    cluster,
    ...(parsed ? { parsed } : {}),
    variables,
  };
}
