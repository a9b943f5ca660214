import { ANY_GROUP } from '../../../../formats/chart/definitions.ts';
import type { AskedApi } from '../../../../formats/chart/text-traits.ts';
import { isKubernetesGroup } from '../../../../formats/kubernetes/served.ts';
import type { SolutionMetadata } from '../../../../formats/solution/metadata.ts';
import { mentionsOf } from '../../../parts/components/index.ts';
import { definedKinds } from '../defined-kinds.ts';
import { asComponent, type Surroundings } from '../together.ts';
import type { Unpacked } from '../unpacked.ts';
import type { PlacedStatement } from './statements.ts';

/** An API that a template of a component asks for, and that Kubernetes itself does not have. */
export interface StatedAsk {
  readonly component: string;
  /** `group/version`, or `group/version/Kind`. */
  readonly api: string;
  readonly template: string;
}

/**
 * Lists the kinds that a definition says its cluster has, as charts ask for them: `group/version` and
 * `group/version/Kind`.
 */
export function declaredApis({ requires, provides }: Pick<SolutionMetadata, 'requires' | 'provides'>): string[] {
  const names = [requires, provides].flatMap((one) => Object.keys(one ?? {}));
  return names.flatMap((name) => {
    const [group, version, kind] = name.split('/');
    if (version === undefined) return [];
    return kind === undefined ? [name] : [`${group}/${version}`, name];
  });
}

/** What the templates of components mention, beyond what they were rendered to. */
export interface StatedMentions {
  /** What they ask for; of charts within others only where these render something, or are libraries. */
  readonly asks: readonly StatedAsk[];
  /** Kinds that they define with other values alone, as `group/Kind`; with `*` for a group that values tell. */
  readonly dormant: readonly { readonly component: string; readonly kind: string }[];
}

/** Reads what the templates of components mention, once these are rendered. */
export async function mentionsIn(
  unpacked: readonly Unpacked[],
  statements: readonly PlacedStatement[],
  surroundings: Surroundings,
): Promise<StatedMentions> {
  const sources = statements.flatMap(({ source }) => source ?? []);
  const isLive = ({ chart, library }: AskedApi): boolean =>
    library || !chart.includes('/') || sources.some((source) => source.startsWith(`${chart}/`));
  const defined = new Set(statements.flatMap(({ object }) => definedKinds(object).map(withoutVersion)));
  const found = await Promise.all(
    unpacked.map(async (one): Promise<StatedMentions> => {
      const { kind, name: component } = one.component;
      const { asks, defines } = await mentionsOf(kind, asComponent(one, surroundings));
      const live = asks.filter((ask) => isBroughtApi(ask.api) && isLive(ask));
      return {
        asks: live.map(({ api, template }): StatedAsk => ({ component, api, template })),
        dormant: defines
          .filter((one) => !defined.has(one) && !isInAnyGroup(one, defined))
          .map((kind) => ({ component, kind })),
      };
    }),
  );
  return { asks: found.flatMap(({ asks }) => asks), dormant: found.flatMap(({ dormant }) => dormant) };
}

function withoutVersion(kind: string): string {
  const [group, , name] = kind.split('/');
  return `${group}/${name}`;
}

/** Whether a kind of a group that values tell is among some of groups that are known. */
function isInAnyGroup(kind: string, known: ReadonlySet<string>): boolean {
  const [group, name] = kind.split('/');
  return group === ANY_GROUP && [...known].some((one) => one.endsWith(`/${name}`));
}

/** Returns whether an API is one that a cluster has only if somebody brings it. */
function isBroughtApi(api: string): boolean {
  const [group = '', version] = api.split('/');
  return version !== undefined && !isKubernetesGroup(group);
}
