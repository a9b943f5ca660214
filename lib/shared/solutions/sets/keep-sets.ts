import type { BrokenAsk } from '../../../../formats/resolve/broken.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import { brokenBy, type ClusterTarget, installedIn, type SetChange } from '../../../parts/clusters/index.ts';

/**
 * Makes sure that every Solution of a cluster still has what it asks for once a configuration has what is said, as far
 * as it has that now. `subject` is what is done, as in `uninstall cert-manager`. Throws `set-impossible` with all that
 * would be missing.
 */
export async function requireKept(
  { subject, ...change }: SetChange & { readonly subject: string },
  cluster: Pick<ClusterTarget, 'inventory'>,
  flow: Flow,
): Promise<void> {
  const broken = brokenBy(change, installedIn(await cluster.inventory(flow)));
  if (broken.length > 0) throw wouldBreak(subject, broken);
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
