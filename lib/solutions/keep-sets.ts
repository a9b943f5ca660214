import { type BrokenAsk, brokenAsks } from '../../formats/resolve/broken.ts';
import type { InstalledRelease } from '../../formats/resolve/world.ts';
import type { ClusterTarget, RenderedSolution } from '../clusters/kind.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { installedIn } from './set-candidates.ts';

/** What a configuration is to have afterwards, where no archives are chosen from. */
export interface SetChange {
  readonly configuration: string;
  /** All of its Solutions that will be there. */
  readonly solutions: readonly Pick<RenderedSolution, 'name' | 'version' | 'relations'>[];
  /** What is done, as in `uninstall cert-manager`. */
  readonly subject: string;
}

/**
 * Makes sure that every Solution of a cluster still has what it asks for once a configuration has what is said, as far as it has
 * that now. Throws `set-impossible` with all that would be missing.
 */
export async function requireKept(
  { configuration, solutions, subject }: SetChange,
  cluster: Pick<ClusterTarget, 'inventory'>,
  flow: Flow,
): Promise<void> {
  const now = installedIn(await cluster.inventory(flow));
  const others = now.filter((one) => one.configuration !== configuration);
  const own = solutions.map(({ name, version, relations }): InstalledRelease => {
    return { release: { name, version, ...relations }, configuration };
  });
  const broken = brokenAsks(now, [
    ...own,
    ...others.filter(({ release }) => !own.some((one) => isNamed(one, release))),
  ]);
  if (broken.length > 0) throw wouldBreak(subject, broken);
}

function isNamed(one: InstalledRelease, { name }: InstalledRelease['release']): boolean {
  return one.release.name === name;
}

function wouldBreak(subject: string, broken: readonly BrokenAsk[]): SolpackError {
  const [first, ...more] = broken;
  const names = [...new Set(broken.map(({ of }) => of))];
  const code = 'set-impossible';
  const others = more.length === 0 ? '' : ` (and ${more.length} more, named above)`;
  return new SolpackError(code, subject, `${first!.words}${others}`, {
    hint: `remove or change ${names.join(' and ')} first`,
    findings: more.map(({ words }) => ({ code, subject, message: words })),
  });
}
