import type { DecidedSolution, Ranges, Relations, Upgrade } from '../../lib/index.ts';
import { plain } from '../io.ts';

/** Describes what a Solution asks of others and offers them, a line each. */
export function relationsView(relations: Relations = {}): string[] {
  const { requires = {}, anyOf = [], recommends = {}, provides = {}, exclusive = [], conflicts = {} } = relations;
  return [
    ...line('requires', requires),
    ...anyOf.map((ranges) => `  requires ${all(ranges, ' or ')}`),
    ...line('recommends', recommends),
    ...line('provides', provides),
    ...(exclusive.length === 0 ? [] : [`  and nothing else may provide ${exclusive.map(plain).join(', ')}`]),
    ...line('conflicts with', conflicts),
    ...line('replaces', relations.replaces ?? {}),
  ];
}

/** Describes over which versions a Solution may be installed, a line each. */
export function upgradeView(name: string, upgrade: Upgrade = {}): string[] {
  const { provides = {}, ...own } = upgrade;
  return Object.entries({ [name]: own, ...provides }).flatMap(([of, { from, skips = [] }]) =>
    from === undefined ? [] : [`  may be installed over ${plain([`${of} ${from}`, ...skips].join(' or '))}`],
  );
}

/** A name with the range of its versions, if not every version will do. */
export function askWords({ name, range }: { readonly name: string; readonly range: string }): string {
  return range === '*' ? name : `${name} ${range}`;
}

function line(verb: string, ranges: Ranges): string[] {
  return Object.keys(ranges).length === 0 ? [] : [`  ${verb} ${all(ranges, ', ')}`];
}

function all(ranges: Ranges, separator: string): string {
  return Object.entries(ranges)
    .map(([name, range]) => plain(askWords({ name, range })))
    .join(separator);
}

/** Describes what a Solution requires and other programs have installed. */
export function outsideLines(needs: DecidedSolution['outside'] = []): string[] {
  return needs.map(
    (need) =>
      `${need.kind === 'recommends' ? 'recommends' : 'requires'} ${plain(askWords(need))}: found ${plain(need.version)} of ${plain(need.by)}, which solpack did not install`,
  );
}
