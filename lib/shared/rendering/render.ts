import { join } from 'node:path';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { KeptDraw, PlannedDraw } from '../../../formats/solution/install-plan.ts';
import type { ComponentMetadata } from '../../../formats/solution/metadata.ts';
import { isUnrelated, relationsOf } from '../../../formats/solution/relations.ts';
import type { ClusterFacts, PreviousVersion } from '../../kernel/content/index.ts';
import { type Event, type Flow, lend } from '../../kernel/events/index.ts';
import { temporaryFolder } from '../../kernel/files/index.ts';
import type { RenderedComponent, RenderedSolution } from '../../parts/clusters/index.ts';
import { migrations, probe } from '../../parts/components/index.ts';
import { type SiteInputs, siteOf, solutionSiteDigest } from '../solutions/sites/index.ts';
import { carriedBy } from './carried-programs.ts';
import { movedObjects } from './moved-objects.ts';
import { imagesUsed } from './named-images.ts';
import { inNamespace } from './own-namespace.ts';
import { probesOf, requireProbes } from './probes.ts';
import type { RememberedRenderings } from './remembered.ts';
import { type Renderable, renderedName } from './renderable.ts';
import { type SiteChanges, siteChanges } from './site-changes.ts';
import { patchedBySite, type TargetedPatch } from './site-patches.ts';
import { writeSiteValues } from './site-values.ts';
import { solutionOrder } from './solution-order.ts';
import { asComponent, renderTogether } from './together.ts';
import { unpackComponents } from './unpack-components.ts';
import type { Unpacked } from './unpacked.ts';
import type { UsedImage } from './used-images.ts';

/** How Solutions are rendered. */
export interface RenderOptions {
  /** What the cluster is like; undefined where there is none to ask. */
  readonly cluster: ClusterFacts | undefined;
  /** The variables of the node that plugins get. */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds that a component may take to become ready, where it does not say so itself. */
  readonly timeout: number;
  /** What the cluster remembers of earlier renderings; left out: all is rendered anew. */
  readonly remembered?: RememberedRenderings | undefined;
  /** Whether tests of charts will not run, so that what they alone use may be missing. Left out: false. */
  readonly withoutTests?: boolean;
  /** Reads what there is of a Solution before this version of it; left out: nothing is migrated. */
  readonly readPreviousVersion?: (name: string, version: string) => Promise<PreviousVersion | undefined>;
  /** What sites set for components; left out: nothing. */
  readonly sites?: readonly SiteInputs[];
}

/** An image that a component uses and that is not taken from its archive. */
export interface ForeignImage {
  readonly image: string;
  readonly component: string;
  readonly archive: string;
}

/** What archives are as objects. */
export interface Rendered {
  readonly solutions: readonly RenderedSolution[];
  /** What the archive does not hold, in the order of components, once for each of them. */
  readonly missing: readonly ForeignImage[];
  /** What is never pulled, because it is on the node already, or is brought by the site, in the same order. */
  readonly kept: readonly ForeignImage[];
  /** Every image that objects name, wherever they do so, in the order of components and objects. */
  readonly used: readonly UsedImage[];
  /** What sites have changed, by component. */
  readonly sites: readonly SiteChanges[];
  /** The patches of sites, by component, with what they are for. */
  readonly patched: readonly TargetedPatch[];
  /** What charts draw anew that may be wanted as it was; left out where that is nothing. */
  readonly drawn?: readonly PlannedDraw[];
  /** What is kept of what charts drew, because their authors or the site say so; left out where that is nothing. */
  readonly keptDraws?: readonly KeptDraw[];
}

/** A component with its objects, as the cluster is to have them. */
interface Stated {
  readonly component: ComponentMetadata;
  readonly objects: readonly KubernetesObject[];
  readonly migrations: readonly KubernetesObject[];
}

/**
 * Renders all components of Solutions. Each is rendered for the kinds that others define, in whatever order these are
 * given. What none of them can be rendered for is reported before any component is. Throws what the component kinds
 * throw, `archive-damaged`, and `set-impossible` where there is no such order.
 */
export async function renderAll(
  renderables: readonly Renderable[],
  options: RenderOptions,
  flow: Flow,
): Promise<Rendered> {
  const { sites = [] } = options;
  await requireProbes(renderables);
  return lend(await temporaryFolder(flow.host), async ({ path }) => {
    const all: Unpacked[] = [];
    for (const [index, solution] of renderables.entries()) {
      const { name, version } = solution.metadata;
      flow.onEvent({ type: 'step', step: 'unpack', subject: `${name} ${version}` });
      for (const one of await unpackComponents(solution, join(path, String(index)), flow)) {
        const site = siteOf(sites, renderedName(solution), one.component.name);
        const siteValues = await writeSiteValues(site, one.folder);
        all.push({ ...one, siteValues, siteKeepsDrawn: site?.keepDrawn });
      }
    }
    const carrier = carriedBy(renderables, join(path, 'programs'), flow);
    for (const one of all) await probe(one.component.kind, asComponent(one, options), flow);
    let order = renderables;
    for (let round = 1; ; round += 1) {
      const notices: Event[] = [];
      const onEvent = (event: Event): unknown => (event.type === 'notice' ? notices.push(event) : flow.onEvent(event));
      const rendered = await renderInOrder(order, all, options, (solution) => ({ ...carrier(solution), onEvent }));
      const names = solutionOrder(rendered.solutions, options.cluster);
      const next = order.toSorted((a, b) => names.indexOf(renderedName(a)) - names.indexOf(renderedName(b)));
      // Charts see the kinds of what precedes them, so that another order may be another rendering.
      const isSettled = next.every((one, index) => one === order[index]);
      if (isSettled || round === ROUNDS) {
        for (const notice of notices) flow.onEvent(notice);
        const place = new Map(rendered.solutions.map((one, index) => [order[index], one]));
        return { ...rendered, solutions: renderables.map((one) => place.get(one)!) };
      }
      order = next;
    }
  });
}

/** Asks a component what becomes of custom resources where another version of its Solution is there. */
async function migrationsFor(one: Unpacked, options: RenderOptions, flow: Flow): Promise<readonly KubernetesObject[]> {
  const { readPreviousVersion } = options;
  if (readPreviousVersion === undefined) return [];
  const { version } = one.solution.metadata;
  return migrations(
    one.component.kind,
    asComponent(one, options),
    () => readPreviousVersion(renderedName(one.solution), version),
    flow,
  );
}

/** How often Solutions are rendered until their order does not change any more. */
const ROUNDS = 4;

/** Renders Solutions one after the other, each for the cluster that those before it have made. */
async function renderInOrder(
  renderables: readonly Renderable[],
  unpacked: readonly Unpacked[],
  options: RenderOptions,
  flowFor: (solution: Renderable) => Flow,
): Promise<Rendered> {
  const { sites = [] } = options;
  const used: UsedImage[] = [];
  const solutions: RenderedSolution[] = [];
  const changes: SiteChanges[] = [];
  const patched: TargetedPatch[] = [];
  const known: KubernetesObject[] = [];
  let { cluster } = options;
  for (const solution of renderables) {
    const solutionFlow = flowFor(solution);
    const own = unpacked.filter((candidate) => candidate.solution === solution);
    const settled = await renderTogether(own, { ...options, cluster, renderings: options.remembered }, solutionFlow);
    ({ cluster } = settled);
    const brought = own.map((one) => one.component);
    // Which kinds have a namespace may be said by a definition in another component, or in a Solution that comes
    // before.
    known.push(...settled.objects.flatMap((stated) => stated.map(({ object }) => object)));
    const stating: Stated[] = [];
    for (const [index, one] of own.entries()) {
      const site = siteOf(sites, renderedName(solution), one.component.name);
      const stated = inNamespace(one.component, settled.objects[index]!, { known, brought, cluster });
      const { name: component } = one.component;
      const applied = await patchedBySite(site, component, stated, solutionFlow, (targeted) =>
        patched.push({ solution: renderedName(solution), component, ...targeted }),
      );
      const objects = applied.map(({ object }) => object);
      if (site) {
        const change = await siteChanges(site, one, { ...options, cluster }, { stated, objects }, solutionFlow);
        changes.push({ ...change, solution: renderedName(solution) });
      }
      const migrations = await migrationsFor(one, { ...options, cluster }, solutionFlow);
      stating.push({ component: one.component, objects, migrations });
    }
    const components = movedObjects(solution, stating, cluster);
    used.push(...imagesUsed(solution, components, options.withoutTests === true));
    solutions.push(solutionOf(solution, components, options));
  }
  const remembering = solutions.map((one) => ({ ...one, records: options.remembered?.records(one.name) ?? [] }));
  const drawn = solutions.flatMap(({ name }) => options.remembered?.drawn(name) ?? []);
  const keptDraws = solutions.flatMap(({ name }) => options.remembered?.keptDraws(name) ?? []);
  return {
    ...{ solutions: remembering, ...foreignOf(used), used, sites: changes, patched },
    ...(drawn.length === 0 ? {} : { drawn }),
    ...(keptDraws.length === 0 ? {} : { keptDraws }),
  };
}

/**
 * Lists what containers and volumes use and no archive holds: what has to be there, and what somebody else answers for.
 */
function foreignOf(used: readonly UsedImage[]): Pick<Rendered, 'missing' | 'kept'> {
  const seen = new Set<string>();
  const [missing, kept]: [ForeignImage[], ForeignImage[]] = [[], []];
  for (const { reference: image, component, archive, certainty, held, external, pulled } of used) {
    if (certainty === 'likely' || (held && pulled)) continue;
    const list = pulled && !external ? missing : kept;
    const key = JSON.stringify([archive, component, image, list === kept]);
    if (!seen.has(key)) list.push({ image, component, archive });
    seen.add(key);
  }
  return { missing, kept };
}

function solutionOf(
  renderable: Renderable,
  components: readonly Stated[],
  { timeout, sites = [] }: RenderOptions,
): RenderedSolution {
  const { metadata, root } = renderable;
  return {
    name: renderedName(renderable),
    version: metadata.version,
    root,
    site: solutionSiteDigest(sites, renderedName(renderable)),
    ...(isUnrelated(metadata) ? {} : { relations: relationsOf(metadata) }),
    components: components.map(({ component, objects, migrations }): RenderedComponent => {
      const { name, after } = component;
      const own = component.timeout === undefined ? timeout : component.timeout * 1000;
      const migrated = migrations.length > 0 ? { migrations } : {};
      return { name, objects, after, timeout: own, ready: probesOf(component), ...migrated };
    }),
  };
}
