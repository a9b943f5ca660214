import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import {
  choose,
  chooseEnvironments,
  type FoundArchives,
  type OpenedArchive,
} from '../../shared/solutions/sets/index.ts';
import { unsignedCodes, untrusted, verdictOf } from '../../shared/solutions/trusted/index.ts';
import type { Trusting } from './trusting.ts';

/** How many archives that are left out are named. */
const NAMED = 3;

/**
 * Returns the archives that a set may be chosen from: those whose signatures count. Which Solutions belong together is
 * searched for only among these, so that nobody else can make that take long, or have a say in it. Contents are hashed
 * later. Throws `not-trusted` where the configuration names one that is not among them.
 */
export async function vouchedArchives(
  configuration: SolutionsConfiguration,
  found: FoundArchives,
  trust: Trusting | 'skip',
  flow: Flow,
): Promise<readonly OpenedArchive[]> {
  if (trust === 'skip') return found.opened;
  const refused = new Map<OpenedArchive, readonly Finding[]>();
  for (const one of found.opened) {
    const refusals = await refusalsOf(one, trust);
    if (refusals.length > 0) refused.set(one, refusals);
  }
  if (refused.size === 0) return found.opened;
  const environments = [...chooseEnvironments(configuration, found).values()].flat();
  for (const one of [...choose(configuration, found.opened), ...environments.map(({ chosen }) => chosen)]) {
    const refusals = refused.get(one);
    if (refusals) throw untrusted(one.path, refusals);
  }
  tellLeftOut([...refused.keys()], flow);
  return found.opened.filter((one) => !refused.has(one));
}

/**
 * Why an archive does not count. An older release does, until it is chosen; and a medium of somebody else, in which
 * nothing asks for others, is judged with its contents.
 */
async function refusalsOf({ archive }: OpenedArchive, trust: Trusting): Promise<readonly Finding[]> {
  if (archive.foreign !== undefined) return [];
  const { trusted, findings } = await verdictOf(archive, trust.basis);
  if (trusted) return [];
  const isPinned = (trust.allowUnsigned ?? []).includes(archive.catalog.root.digest);
  const counting = findings.filter(({ code }) => !(isPinned && unsignedCodes.has(code)));
  if (counting.every(({ code }) => code === 'downgrade')) return [];
  return counting.filter(({ code }) => code !== 'downgrade' || !trust.allowDowngrade);
}

function tellLeftOut(archives: readonly OpenedArchive[], { onEvent }: Flow): void {
  const paths = archives.map(({ path }) => path);
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  const message = `nobody who is trusted has signed ${paths.slice(0, NAMED).join(', ')}${more}: left out`;
  onEvent({ type: 'notice', subject: 'archives', message });
}
