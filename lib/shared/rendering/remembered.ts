import { isDeepStrictEqual } from 'node:util';
import type { ChartTraits } from '../../../formats/chart/text-traits.ts';
import {
  type DrawnPlace,
  drawnBefore,
  drawnKept,
  drawnPlaces,
  withEarlierDraws,
} from '../../../formats/manifest/drawn.ts';
import type { KeptDraw, PlannedDraw } from '../../../formats/solution/install-plan.ts';
import type { LookupLimit, Lookups } from '../../kernel/content/index.ts';
import type { Event, Flow } from '../../kernel/events/index.ts';
import type { ClusterTarget, KeptRecord } from '../../parts/clusters/index.ts';
import {
  render as renderComponent,
  requireUnreserved,
  type StatedObject,
  traitsOf,
  type UnpackedComponent,
} from '../../parts/components/index.ts';
import { type DrawnAnew, type DrawnKept, drawnAnew, keptTogether, tellDrawnAnew, tellKept } from './drawn-anew.ts';
import { broughtBy, inputsDigestOf, seenFactsDigest } from './rendering-inputs.ts';
import { formatRendering, parseRendering, type Rendering } from './rendering-record.ts';
import type { Renderings } from './together.ts';

/** Renders for a cluster that remembers what components were rendered to. */
export interface RememberedRenderings extends Renderings {
  /** Returns what is to be remembered of a Solution, once all of an install is rendered. */
  records(solution: string): readonly KeptRecord[];
  /** Lists what is drawn anew of a Solution, though it may be wanted as it was. */
  drawn(solution: string): readonly PlannedDraw[];
  /** Lists what stays of what was drawn of a Solution, because components keep it. */
  keptDraws(solution: string): readonly KeptDraw[];
}

/** A chart of a Solution: what is remembered of it, and what it was rendered to now. */
interface Remembered {
  readonly solution: string;
  readonly name: string;
  readonly bytes: Uint8Array | undefined;
  readonly before: Rendering | undefined;
  readonly inputs: string;
  readonly traits: ChartTraits;
  now: Rendering | undefined;
  /** What that has drawn anew. */
  drawn: readonly DrawnAnew[];
  /** What stays of what was drawn. */
  kept: readonly DrawnKept[];
  /** What it was last rendered for. */
  component: UnpackedComponent | undefined;
}

/**
 * Renders charts as the cluster has them: what was rendered from the same inputs is taken from there. Where only the
 * cluster is another one by now, and where a component keeps them, values that are drawn stay as they were. Every other
 * kind of component is rendered as it is. `limitOf` says what charts of a Solution may look up.
 */
export function rememberedRenderings(
  target: Pick<ClusterTarget, 'recorded' | 'lookups'>,
  limitOf: (solution: string) => LookupLimit | undefined,
): RememberedRenderings {
  const charts = new Map<string, Remembered>();
  const chartOf = async (component: UnpackedComponent, flow: Flow): Promise<Remembered> => {
    const { name } = component;
    const solution = component.instance ?? component.solution.name;
    const key = `${solution}/${name}`;
    const known = charts.get(key) ?? (await recall(component, target, flow));
    charts.set(key, known);
    return known;
  };
  const lookupsOf = ({ solution: { name } }: UnpackedComponent): Lookups | undefined => {
    const { lookups } = target;
    return lookups && ((facts, flow) => lookups(facts, flow, limitOf(name)));
  };
  return {
    traits: async (kind, component, flow) =>
      kind === 'helm' ? (await chartOf(component, flow)).traits : traitsOf(kind, component),
    render: async (kind, component, flow) => {
      if (kind !== 'helm' || component.cluster === undefined) return renderComponent(kind, component, flow);
      const chart = await chartOf(component, flow);
      const now = await renderChart(
        chart,
        { ...component, lookups: chart.traits.looksUp ? lookupsOf(component) : undefined },
        flow,
      );
      chart.now = now;
      chart.component = component;
      for (const notice of now.notices) flow.onEvent({ type: 'notice', ...notice });
      return now.objects;
    },
    records: (solution) => {
      const all = [...charts.values()];
      const brought = broughtBy(all.flatMap(({ now }) => (now?.objects ?? []).map(({ object }) => object)));
      return all.flatMap((chart) => (chart.solution === solution ? recordOf(chart, brought) : []));
    },
    drawn: (solution) =>
      [...charts.values()]
        .filter((chart) => chart.solution === solution)
        .flatMap(({ name: component, drawn }) => drawn.map((one) => ({ solution, component, ...one }))),
    keptDraws: (solution) =>
      [...charts.values()]
        .filter((chart) => chart.solution === solution)
        .flatMap(({ name: component, kept }) => kept.map((one) => ({ solution, component, ...one }))),
  };
}

async function recall(
  component: UnpackedComponent,
  target: Pick<ClusterTarget, 'recorded'>,
  flow: Flow,
): Promise<Remembered> {
  const { name } = component;
  const solution = component.instance ?? component.solution.name;
  const bytes = await target.recorded(solution, aboutOf(name), flow);
  const before = bytes && parseRendering(bytes);
  const inputs = await inputsDigestOf(component);
  const traits = before?.inputs === inputs ? before.traits : await traitsOf('helm', component);
  return { solution, name, bytes, before, inputs, traits, now: undefined, drawn: [], kept: [], component: undefined };
}

function aboutOf(component: string): string {
  return `rendered.${component}`;
}

/** Renders a chart for a cluster, or takes what that remembers. */
async function renderChart(chart: Remembered, component: UnpackedComponent, flow: Flow): Promise<Rendering> {
  const { before, inputs, traits } = chart;
  chart.drawn = [];
  chart.kept = [];
  const isSame = before?.inputs === inputs;
  const factsFor = (brought: readonly string[]): string =>
    seenFactsDigest(component.cluster!, traits.asksKinds, brought);
  if (isSame && before.facts === factsFor(before.brought)) {
    requireUnreserved(
      component.name,
      before.objects.map(({ object }) => object),
      component.namespace,
    );
    return before;
  }
  // What is there already is upgraded by what differs from it.
  const upgrade = before !== undefined && (!isSame || before.upgrade);
  const render = (telling: Flow): Promise<readonly StatedObject[]> =>
    renderComponent('helm', { ...component, upgrade }, telling);
  const notices: Rendering['notices'][number][] = [];
  const onEvent = (event: Event): void => {
    if (event.type === 'notice') notices.push({ subject: event.subject ?? '', message: event.message });
    else flow.onEvent(event);
  };
  const fresh = await render({ ...flow, onEvent });
  const again = (): Promise<readonly StatedObject[]> => render({ ...flow, onEvent: () => undefined });
  let objects = fresh.map(({ object, source }) => ({ object, source }));
  if (before !== undefined && traits.draws) {
    const isWanted = isSame || component.keepDrawn === true;
    const { objects: own, kept, anew } = await settled(fresh, before.objects, again, isWanted);
    objects = own;
    chart.drawn = drawnAnew(
      anew,
      objects.map(({ object }) => object),
    );
    tellDrawnAnew(component.name, chart.drawn, isWanted, flow);
    if (component.keepDrawn === true) chart.kept = keptTogether(kept);
    tellKept(component.name, chart.kept, flow);
  }
  const brought = before?.brought ?? [];
  return { inputs, facts: factsFor(brought), brought, upgrade, traits, objects, notices };
}

/**
 * Gives a rendering the draws of an earlier one, as far as they fit, if it `keeps` them. Returns also the places where
 * something of the earlier one is kept, and where it is drawn anew.
 */
async function settled(
  fresh: readonly StatedObject[],
  earlier: readonly StatedObject[],
  again: () => Promise<readonly StatedObject[]>,
  keeps: boolean,
): Promise<{
  readonly objects: StatedObject[];
  readonly kept: readonly DrawnPlace[];
  readonly anew: readonly DrawnPlace[];
}> {
  const own = fresh.map(({ object }) => object);
  const places = drawnPlaces(
    own,
    (await again()).map(({ object }) => object),
  );
  const before = earlier.map(({ object }) => object);
  const given = keeps ? withEarlierDraws(own, places, before) : undefined;
  const objects = fresh.map(({ object, source }, at) => ({ object: given?.[at] ?? object, source }));
  if (given === undefined) return { objects, kept: [], anew: drawnBefore(own, places, before) };
  return { objects, kept: drawnKept(own, places, { earlier: before, settled: given }), anew: [] };
}

/** What is to be remembered of a chart; nothing where that is so already. */
function recordOf({ name, bytes, before, now, component }: Remembered, brought: readonly string[]): KeptRecord[] {
  if (now === undefined || component === undefined) return [];
  // The same objects for another cluster: to remember that would change something where nothing changed.
  const isSame = now === before || (before?.inputs === now.inputs && isDeepStrictEqual(before.objects, now.objects));
  if (bytes !== undefined && isSame) return [{ about: aboutOf(name), bytes, replaces: bytes }];
  const facts = seenFactsDigest(component.cluster!, now.traits.asksKinds, brought);
  return [{ about: aboutOf(name), bytes: formatRendering({ ...now, facts, brought }), replaces: bytes }];
}
