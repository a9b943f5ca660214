import { shellWord } from '../../../../formats/shell-word.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import type { Archive } from '../../../parts/archives/index.ts';
import { compareRoot } from './compare-root.ts';

/**
 * Throws `verification-failed` where the root of an archive disagrees with what it refers to, so that what is made of
 * it would be no archive.
 */
export function requireConsistent({ path, catalog }: Pick<Archive, 'path' | 'catalog'>): void {
  const [finding] = compareRoot(catalog);
  if (!finding) return;
  throw new SolpackError('verification-failed', path, `${finding.subject}: ${finding.message}`, {
    hint: `"solpack verify ${shellWord(path)}" lists all of it; nothing was written`,
  });
}
