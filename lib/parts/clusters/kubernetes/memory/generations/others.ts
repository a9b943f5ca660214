import { installsBeside, matchOutside, outsideNames } from '../../../../../../formats/resolve/outside.ts';
import type { InstalledRelease } from '../../../../../../formats/resolve/world.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import { brokenBy, installedIn, type SetChange, withoutServed } from '../../../kept-sets.ts';
import { type ApplySession, factsOf } from '../../server/index.ts';
import { inventoryEntries, readInventories } from '../inventories.ts';
import { readOutside } from '../outside.ts';
import { readUnderWay } from './store.ts';

/**
 * Makes sure that what a configuration is to have fits what all others have, and what those will have that are being
 * brought about. Whoever decided that it fits has looked earlier. Throws `set-impossible`.
 */
export async function requireTogether(wanted: SetChange, session: ApplySession): Promise<void> {
  const now = installedIn(inventoryEntries(await readInventories(session)));
  const going = (await readUnderWay(session)).filter((one) => one.configuration !== wanted.configuration);
  const names = new Set(going.map(({ configuration }) => configuration));
  const coming = going.flatMap(({ configuration, solutions }) =>
    solutions.map(({ name, version, relations }): InstalledRelease => {
      return { release: { name, version, ...relations }, configuration };
    }),
  );
  const staying = now.filter(({ configuration }) => !names.has(configuration));
  const change = await withoutOutside(wanted, [...now, ...coming], session);
  const found = brokenBy(change, now)[0];
  const first = found ?? brokenBy(change, now, [...staying, ...coming])[0];
  if (first === undefined) return;
  const subject = `configuration ${change.configuration}`;
  const others = [...names].map((name) => `the configuration ${name}`).join(' and ');
  const hint =
    found === undefined
      ? `wait until the run that applies ${others} has ended; then run the same command again`
      : 'another configuration requires that now: change it first, or run the same command again with the present Solutions';
  throw new SolpackError('set-impossible', subject, first.words, { hint });
}

/**
 * Leaves out of what the Solutions of a change ask for the kinds that the cluster serves and no Solution brings, and
 * what others have installed.
 */
async function withoutOutside(
  change: SetChange,
  others: readonly InstalledRelease[],
  session: ApplySession,
): Promise<SetChange> {
  const releases = [...others.map(({ release }) => release), ...change.solutions.map(({ relations }) => relations)];
  const brought = new Set(releases.flatMap((one) => Object.keys(one?.provides ?? {})));
  const { apiVersions } = factsOf(await session.api.discover(session.flow.signal));
  const outside = new Set(apiVersions.filter((kind) => !brought.has(kind)));
  const asked = change.solutions.map(({ relations, ...one }) => ({
    ...one,
    relations: relations && withoutServed(relations, outside),
  }));
  const names = new Set([...brought, ...others.map(({ release }) => release.name), ...asked.map(({ name }) => name)]);
  const isOpen = asked.some(({ relations }) => relations && outsideNames(relations).some((name) => !names.has(name)));
  const installs = isOpen ? installsBeside((await readOutside(session)).installs, names) : [];
  const solutions = asked.map(({ relations, ...one }) => ({
    ...one,
    relations: relations && matchOutside(relations, installs).rest,
  }));
  return { ...change, solutions };
}
