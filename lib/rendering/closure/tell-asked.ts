import type { Flow } from '../../flow.ts';
import { definedKinds } from '../defined-kinds.ts';
import type { StatedAsk } from './asked-apis.ts';
import type { Examination } from './examine.ts';

/** Tells, in one notice for each component, what its templates ask for in vain, so that they are rendered as for a cluster without. */
export function tellAsked({ versions, proven }: Examination, apis: readonly string[], flow: Flow): void {
  const defined = versions.flatMap(({ statements }) => statements.flatMap(({ object }) => definedKinds(object)));
  const known = new Set([...apis, ...defined, ...[...proven.values()].flatMap(({ kinds }) => kinds)]);
  const asked = [
    ...versions.flatMap(({ asks }) => asks),
    ...[...proven].flatMap(([component, { asks = [] }]) =>
      asks.map(([api, template]): StatedAsk => ({ component, api, template })),
    ),
  ].filter(({ api }) => !known.has(api));
  for (const [subject, own] of Map.groupBy(asked, ({ component }) => component)) {
    const words = [...Map.groupBy(own, ({ api }) => api)].map(
      ([api, places]) => `${api} (${places.map(({ template }) => template).join(', ')})`,
    );
    flow.onEvent({
      type: 'notice',
      subject,
      message: `asks for what neither Kubernetes nor the Solution brings, and is rendered as for a cluster without: ${words.join('; ')}; --api-versions, or the kind under [requires], has it rendered as for one that has it`,
    });
  }
}
