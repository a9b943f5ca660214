import { ANY_GROUP } from '../../../../formats/chart/definitions.ts';
import type { Relations } from '../../../../formats/solution/relations.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import { definedKinds } from '../defined-kinds.ts';
import type { StatedAsk } from './asked-apis.ts';
import type { Examination } from './examine.ts';

/**
 * Tells, in one notice for each component, what its templates ask for in vain, so that they are rendered as for a
 * cluster without.
 */
export function tellAsked({ versions, proven }: Examination, apis: readonly string[], flow: Flow): void {
  const defined = versions.flatMap(({ statements }) => statements.flatMap(({ object }) => definedKinds(object)));
  const known = new Set([...apis, ...defined, ...[...proven.values()].flatMap(({ kinds }) => kinds)]);
  const asked = [
    ...versions.flatMap(({ mentions }) => mentions.asks),
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
      message: `asks for APIs that neither Kubernetes nor the Solution provides, and is rendered as for a cluster without them: ${words.join('; ')}; --api-versions, or the kind under [requires], renders it as for a cluster with them`,
    });
  }
}

/**
 * Tells, in one notice for each component, which kinds it defines with other values alone, so that the Solution does
 * not provide them.
 */
export function tellDormant({ versions, proven }: Examination, provides: Relations['provides'], flow: Flow): void {
  const said = new Set(Object.keys(provides ?? {}).map((name) => name.replace(/\/[^/]*(?=\/)/, '')));
  const found = [
    ...versions.flatMap(({ mentions }) => mentions.dormant),
    ...[...proven].flatMap(([component, { dormant = [] }]) => dormant.map((kind) => ({ component, kind }))),
  ].filter(({ kind }) => !isSaid(kind, said));
  for (const [subject, own] of Map.groupBy(found, ({ component }) => component)) {
    const kinds = [...new Set(own.map(({ kind }) => kind))].sort().map((one) => kindWords(one.split('/')));
    flow.onEvent({
      type: 'notice',
      subject,
      message: `defines kinds only with values other than those of the definition, so the Solution does not provide them: ${kinds.join(', ')}; if every site sets these values, name the kinds under [provides]`,
    });
  }
}

function isSaid(kind: string, said: ReadonlySet<string>): boolean {
  const [group, name] = kind.split('/');
  return said.has(kind) || (group === ANY_GROUP && [...said].some((one) => one.endsWith(`/${name}`)));
}

function kindWords([group, kind]: readonly string[]): string {
  return `${kind} (${group === ANY_GROUP ? 'whose group is a value' : group})`;
}
