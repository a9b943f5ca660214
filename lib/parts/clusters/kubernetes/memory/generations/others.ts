import type { InstalledRelease } from '../../../../../../formats/resolve/world.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import { brokenBy, installedIn, type SetChange } from '../../../kept-sets.ts';
import type { ApplySession } from '../../server/index.ts';
import { inventoryEntries, readInventories } from '../inventories.ts';
import { readUnderWay } from './store.ts';

/**
 * Makes sure that what a configuration is to have fits what all others have, and what those will have that are being
 * brought about. Whoever decided that it fits has looked earlier. Throws `set-impossible`.
 */
export async function requireTogether(change: SetChange, session: ApplySession): Promise<void> {
  const now = installedIn(inventoryEntries(await readInventories(session)));
  const going = (await readUnderWay(session)).filter((one) => one.configuration !== change.configuration);
  const names = new Set(going.map(({ configuration }) => configuration));
  const coming = going.flatMap(({ configuration, solutions }) =>
    solutions.map(({ name, version, relations }): InstalledRelease => {
      return { release: { name, version, ...relations }, configuration };
    }),
  );
  const staying = now.filter(({ configuration }) => !names.has(configuration));
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
