import { type Flow, pool, SolpackError } from '../../../kernel/events/index.ts';
import { lacksRepository, missingRepositories, type Repository } from '../../../parts/registries/index.ts';

/** How many repositories are asked at once. */
const ASKED = 8;

/**
 * Runs `work`, which pushes to `repositories`. If it fails because one of them is not there, the error names all that
 * are not, so that they can be made in one go. Registries that make repositories by themselves are not asked anything.
 */
export async function namingMissingRepositories<T>(
  repositories: () => readonly Repository[],
  { signal: outer }: Pick<Flow, 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (outer.aborted || !(error instanceof SolpackError) || !lacksRepository(error)) throw error;
    const byName = new Map(repositories().map((repository) => [repository.name, repository]));
    const missing = new Set<string>();
    await pool(byName, { limit: ASKED, signal: outer }, async ([name, repository], signal) => {
      const fault = await repository.requireWritable(signal).catch((cause: unknown) => cause);
      if (fault instanceof SolpackError && lacksRepository(fault)) missing.add(name);
    });
    if (missing.size === 0) throw error;
    const { code, subject, message, side } = error;
    const names = [...byName.keys()].filter((name) => missing.has(name));
    throw new SolpackError(code, subject, message, {
      ...(side === undefined ? {} : { side }),
      cause: error,
      hint: missingRepositories(names),
    });
  }
}
