import type { InstalledRelease } from '../../../../../../formats/resolve/world.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import { brokenBy, installedIn, type SetChange, withoutServed } from '../../../kept-sets.ts';
import { type ApplySession, factsOf } from '../../server/index.ts';
import { inventoryEntries, readInventories } from '../inventories.ts';
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

/** Leaves out of what the Solutions of a change ask for the kinds that the cluster serves and no Solution brings. */
async function withoutOutside(
  change: SetChange,
  others: readonly InstalledRelease[],
  { api, flow }: ApplySession,
): Promise<SetChange> {
  const releases = [...others.map(({ release }) => release), ...change.solutions.map(({ relations }) => relations)];
  const brought = new Set(releases.flatMap((one) => Object.keys(one?.provides ?? {})));
  const { apiVersions } = factsOf(await api.discover(flow.signal));
  const outside = new Set(apiVersions.filter((kind) => !brought.has(kind)));
  const solutions = change.solutions.map(({ relations, ...one }) => ({
    ...one,
    relations: relations && withoutServed(relations, outside),
  }));
  return { ...change, solutions };
}
