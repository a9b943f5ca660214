import { instanceParts } from '../../../../formats/solution/environments.ts';
import type { PlannedRemoval } from '../../../../formats/solution/install-plan.ts';
import { removalWords } from '../../../../formats/solution/removal-words.ts';
import { SolpackError } from '../../../kernel/events/index.ts';

/** Removals that somebody has allowed by name. */
export interface NamedRemovals {
  /** The Solutions of which all, data or a newer release may go. */
  readonly removal: readonly string[];
  /** Whether any newer release may go. Left out: false. */
  readonly downgrade?: boolean;
}

/** Lists what nobody has named. */
export function unnamedRemovals(
  removals: readonly PlannedRemoval[],
  { removal, downgrade = false }: NamedRemovals,
): readonly PlannedRemoval[] {
  return removals.filter(({ solution, kind }) => {
    if (kind === 'downgrade' && downgrade) return false;
    return !removal.includes(solution) && !removal.includes(instanceParts(solution).name);
  });
}

/** Lists the Solutions that something is taken from, each once. */
export function removalNames(removals: readonly PlannedRemoval[]): string[] {
  return [...new Set(removals.map(({ solution }) => solution))];
}

/** Throws `removal-unnamed`, about the command `subject`, for what nobody has named. */
export function requireNamedRemovals(
  removals: readonly PlannedRemoval[],
  named: NamedRemovals,
  subject: 'install' | 'uninstall' = 'install',
): void {
  const open = unnamedRemovals(removals, named);
  if (open.length === 0) return;
  const allow = removalNames(open).map((name) => `--allow-removal ${name}`);
  throw new SolpackError('removal-unnamed', subject, open.map((one) => removalWords(one, false)).join('; '), {
    hint: `nothing was changed; if the removal is intended, give ${allow.join(' ')}`,
  });
}
