import { join } from 'node:path';
import type { ChartTraits } from '../../../../formats/chart/text-traits.ts';
import type { ComponentProof } from '../../../../formats/solution/component-proof.ts';
import type { ComponentMetadata } from '../../../../formats/solution/metadata.ts';
import type { ClusterFacts } from '../../../kernel/content/index.ts';
import { type ErrorCode, type Flow, lend, type OnEvent, pool, SolpackError } from '../../../kernel/events/index.ts';
import { temporaryFolder } from '../../../kernel/files/index.ts';
import { isFixed, render, type StatedObject, traitsOf } from '../../../parts/components/index.ts';
import { assumedCluster } from '../assumed-cluster.ts';
import { definedKinds, withKinds } from '../defined-kinds.ts';
import { withOwnNamespace } from '../own-namespace.ts';
import { isRenderable } from '../provable.ts';
import type { Renderable } from '../renderable.ts';
import { type Renderings, renderTogether } from '../together.ts';
import { unpackComponents } from '../unpack-components.ts';
import type { Unpacked } from '../unpacked.ts';
import { mentionsIn, type StatedMentions } from './asked-apis.ts';
import { type DrawnValue, findDrawn } from './drawn-values.ts';
import { type PlacedStatement, placeStatements } from './statements.ts';

/** How many programs render at once. */
const AT_ONCE = 2;

/** What a Solution becomes for one Kubernetes version. */
export interface ExaminedVersion {
  /** Undefined is Helm's own. */
  readonly version: string | undefined;
  readonly statements: readonly PlacedStatement[];
  /** Components that could not be rendered, and why. */
  readonly refusals: readonly { readonly component: string; readonly error: SolpackError }[];
  /** What they draw; looked for in one version only. */
  readonly drawn: readonly DrawnValue[];
  /** What their templates mention; looked for in one version only. */
  readonly mentions: StatedMentions;
}

/** What stands for the versions where nothing had to be rendered, so that what is proven is judged all the same. */
const unmentioned: StatedMentions = { asks: [], dormant: [] };

const unrendered: ExaminedVersion = {
  version: undefined,
  statements: [],
  refusals: [],
  drawn: [],
  mentions: unmentioned,
};

/** Returns the versions to judge: those that were rendered, or one without objects where there are none. */
export function versionsToJudge(versions: readonly ExaminedVersion[]): readonly ExaminedVersion[] {
  return versions.length > 0 ? versions : [unrendered];
}

/** What a Solution becomes, for all versions that were asked for. */
export interface Examination {
  readonly versions: readonly ExaminedVersion[];
  /** The components that were rendered, in their order. */
  readonly rendered: readonly string[];
  /** What is known of the other ones. */
  readonly proven: ReadonlyMap<string, ComponentProof>;
}

/** What a Solution is rendered for. */
export interface ExaminedFor {
  readonly versions: readonly (string | undefined)[];
  /** What the cluster serves besides, as `group/version` and `group/version/Kind`. */
  readonly apis: readonly string[];
}

/** Failures of one component that say nothing about the others. */
const ownFailures: readonly ErrorCode[] = ['tool-failed', 'component-invalid', 'object-reserved', 'path-escapes'];

/**
 * Renders the components of a Solution for each version, except those that are proven. Where one of these defines kinds
 * that others state objects of, or might see what others now define, all are rendered. A component that is refused is
 * reported in the result; other failures are thrown, such as `tool-missing`.
 */
export async function examine(
  solution: Renderable,
  clusters: ExaminedFor,
  proven: ReadonlyMap<string, ComponentProof>,
  flow: Flow,
): Promise<Examination> {
  const all = solution.metadata.components.filter(isRenderable);
  const stale = all.filter(({ name }) => !proven.has(name));
  const first = await renderVersions(solution, clusters, stale, proven, flow);
  if (stale.length === 0 || stale.length === all.length || !affects(first, proven)) return first;
  return renderVersions(solution, clusters, all, new Map(), flow);
}

function affects({ versions }: Examination, proven: ReadonlyMap<string, ComponentProof>): boolean {
  const known = new Set([...proven.values()].flatMap(({ kinds }) => kinds));
  const statements = versions.flatMap((version) => version.statements);
  const uses = statements.some(({ object: { apiVersion, kind } }) => known.has(`${apiVersion}/${kind}`));
  return uses || statements.some(({ object }) => definedKinds(object).length > 0);
}

async function renderVersions(
  solution: Renderable,
  { versions, apis }: ExaminedFor,
  components: readonly ComponentMetadata[],
  proven: ReadonlyMap<string, ComponentProof>,
  flow: Flow,
): Promise<Examination> {
  const rendered = components.map(({ name }) => name);
  if (components.length === 0) return { versions: [], rendered, proven };
  return lend(await temporaryFolder(flow.host), async ({ path }) => {
    const unpacked = await unpackComponents(solution, join(path, 'components'), flow, (one) =>
      components.includes(one),
    );
    const kinds = [...apis, ...[...proven.values()].flatMap((proof) => proof.kinds)];
    const found = new Map<string | undefined, ExaminedVersion>();
    const renderings = fixedOnce();
    const telling = { ...flow, onEvent: reportedOnce(flow.onEvent) };
    await pool(versions, { signal: flow.signal, limit: AT_ONCE }, async (version, signal) => {
      const cluster = withKinds(assumedCluster(version), kinds);
      const isFirst = version === versions[0];
      found.set(
        version,
        await renderVersion(unpacked, version, { cluster, isFirst, renderings }, { ...telling, signal }),
      );
    });
    return { versions: versions.map((version) => found.get(version)!), rendered, proven };
  });
}

/** What one version is rendered with. */
interface VersionSurroundings {
  readonly cluster: ClusterFacts;
  readonly isFirst: boolean;
  readonly renderings: Renderings;
}

/** Passes a notice on once, however many versions it is about. */
function reportedOnce(onEvent: OnEvent): OnEvent {
  const reported = new Set<string>();
  return (event) => {
    const text = event.type === 'notice' ? JSON.stringify(event) : undefined;
    if (text !== undefined && reported.has(text)) return;
    if (text !== undefined) reported.add(text);
    onEvent(event);
  };
}

/** Renders what is the same for every cluster once, however many clusters there are. */
function fixedOnce(): Renderings {
  const known = new Map<string, Promise<readonly StatedObject[]>>();
  const traits = new Map<string, Promise<ChartTraits>>();
  return {
    // What a chart's text says is the same for every cluster.
    traits: (kind, component) => {
      const first = traits.get(component.name) ?? traitsOf(kind, component);
      traits.set(component.name, first);
      return first;
    },
    render: (kind, component, flow) => {
      if (!isFixed(kind)) return render(kind, component, flow);
      const first = known.get(component.name) ?? render(kind, component, flow);
      known.set(component.name, first);
      return first;
    },
  };
}

async function renderVersion(
  unpacked: readonly Unpacked[],
  version: string | undefined,
  { cluster, isFirst, renderings }: VersionSurroundings,
  flow: Flow,
): Promise<ExaminedVersion> {
  const refusals = new Map<string, SolpackError>();
  const onRefusal = ({ component }: Unpacked, error: unknown): void => {
    if (!(error instanceof SolpackError) || !ownFailures.includes(error.code)) throw error;
    refusals.set(component.name, error);
  };
  const surroundings = { cluster, variables: {}, renderings };
  const { objects, cluster: settled } = await renderTogether(unpacked, surroundings, flow, onRefusal);
  const all = unpacked.map(({ component }) => component);
  const stated = unpacked.map(({ component }, at) => ({
    component,
    objects: withOwnNamespace(component, objects[at]!, all),
  }));
  const statements = placeStatements(stated);
  const rendered = unpacked.filter(({ component }) => !refusals.has(component.name));
  return {
    version,
    statements,
    refusals: [...refusals].map(([component, error]) => ({ component, error })),
    drawn: isFirst ? await findDrawn(unpacked, objects, { ...surroundings, cluster: settled }, flow) : [],
    mentions: isFirst ? await mentionsIn(rendered, statements, surroundings) : unmentioned,
  };
}
