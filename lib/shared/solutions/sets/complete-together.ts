import { SolpackError } from '../../../kernel/events/index.ts';
import { completedBy, type Making, requireComplete } from '../../../parts/archives/index.ts';
import type { ConfiguredArchives, OpenedArchive, Unopened } from './opened.ts';

/**
 * Lets archives that lack contents read them out of the others that are open, in whatever order they are. One of which
 * something is nowhere is closed, and counts as one that cannot be opened.
 */
export async function completeTogether(
  { opened, unopened }: ConfiguredArchives,
  making: Making,
): Promise<ConfiguredArchives> {
  const lacking: Unopened[] = [];
  let left = opened;
  // What leaves may have had what another one lacks.
  for (let found = incompleteOf(left); found; found = incompleteOf(left)) {
    const { one, error } = found;
    left = left.filter((other) => other !== one);
    lacking.push({ path: one.path, group: one.group, error });
    await one.archive[Symbol.asyncDispose]();
  }
  const archives = left.map(({ archive }) => archive);
  return {
    opened: left.map((one) => ({ ...one, archive: completedBy(one.archive, archives, making) })),
    unopened: [...unopened, ...lacking],
  };
}

function incompleteOf(opened: readonly OpenedArchive[]): { one: OpenedArchive; error: SolpackError } | undefined {
  const archives = opened.map(({ archive }) => archive);
  for (const one of opened) {
    try {
      requireComplete(one.archive, archives);
    } catch (error) {
      if (!(error instanceof SolpackError)) throw error;
      return { one, error };
    }
  }
  return undefined;
}
