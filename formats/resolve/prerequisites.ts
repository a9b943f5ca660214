import type { Release } from '../solution/relations.ts';
import type { Precedence } from './order.ts';

/**
 * Returns which of some releases come before others, because these ask for them: as far as their names and capabilities
 * tell.
 */
export function needEdges(releases: readonly Release[]): Precedence[] {
  const brings = ({ name, provides = {}, replaces = {} }: Release, asked: string): boolean =>
    name === asked || provides[asked] !== undefined || replaces[asked] !== undefined;
  return releases.flatMap(({ name: next, requires = {}, anyOf = [], recommends = {} }) => {
    const asked = [requires, recommends, ...anyOf].flatMap(Object.keys);
    return releases.flatMap((one) => (asked.some((each) => brings(one, each)) ? [{ first: one.name, next }] : []));
  });
}
