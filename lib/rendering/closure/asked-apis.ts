import type { AskedApi } from '../../../formats/chart/asked-apis.ts';
import { isKubernetesGroup } from '../../../formats/kubernetes/served.ts';
import type { SolutionMetadata } from '../../../formats/solution/metadata.ts';
import { asksOf, traitsOf } from '../../components/index.ts';
import type { Flow } from '../../flow.ts';
import { asComponent, type Surroundings, type Unpacked } from '../together.ts';
import type { PlacedStatement } from './statements.ts';

/** An API that a template of a component asks for, and that Kubernetes itself does not have. */
export interface StatedAsk {
  readonly component: string;
  /** `group/version`, or `group/version/Kind`. */
  readonly api: string;
  readonly template: string;
}

/** Lists the kinds that a definition says its cluster has, as charts ask for them: `group/version` and `group/version/Kind`. */
export function declaredApis({ requires, provides }: Pick<SolutionMetadata, 'requires' | 'provides'>): string[] {
  const names = [requires, provides].flatMap((one) => Object.keys(one ?? {}));
  return names.flatMap((name) => {
    const [group, version, kind] = name.split('/');
    if (version === undefined) return [];
    return kind === undefined ? [name] : [`${group}/${version}`, name];
  });
}

/** Lists what templates ask for; of charts within others only where these render something, or are libraries. */
export async function asksIn(
  unpacked: readonly Unpacked[],
  statements: readonly PlacedStatement[],
  surroundings: Surroundings,
  flow: Flow,
): Promise<StatedAsk[]> {
  const sources = statements.flatMap(({ source }) => source ?? []);
  const isLive = ({ chart, library }: AskedApi): boolean =>
    library || !chart.includes('/') || sources.some((source) => source.startsWith(`${chart}/`));
  const found = await Promise.all(
    unpacked.map(async (one) => {
      const { kind, name } = one.component;
      const component = asComponent(one, surroundings);
      const traits = await (surroundings.renderings?.traits(kind, component, flow) ?? traitsOf(kind, component));
      const asks = traits.asksKinds ? await asksOf(kind, component) : [];
      return asks
        .filter((ask) => isBroughtApi(ask.api) && isLive(ask))
        .map(({ api, template }): StatedAsk => ({ component: name, api, template }));
    }),
  );
  return found.flat();
}

/** Tells whether an API is one that a cluster has only if somebody brings it. */
function isBroughtApi(api: string): boolean {
  const [group = '', version] = api.split('/');
  return version !== undefined && !isKubernetesGroup(group);
}
