import { SolpackError } from '../../kernel/events/index.ts';
import type { Generation } from '../../parts/clusters/index.ts';

/** Custom resources in the form of a version that a rollback takes away. */
export interface MigratedAhead {
  /** The Solution and the version that has migrated them. */
  readonly by: string;
  /** The version that comes back. */
  readonly back: string;
  /** `Kind name` or `Kind namespace/name`. */
  readonly resources: readonly string[];
}

/** How many custom resources an error names. */
const NAMED = 3;

/**
 * Finds the custom resources that plugins have migrated since a generation, for another version of a Solution than the
 * one that comes back with it. `all` has the newest generation first.
 */
export function migratedAhead(generation: Generation, all: readonly Generation[]): MigratedAhead[] {
  const since = all.filter(({ number }) => number > generation.number).flatMap(({ solutions }) => solutions);
  return generation.solutions.flatMap(({ name, version }) => {
    // What was migrated last decides: an install that went back has migrated them back as well.
    const last = since.find((one) => one.name === name && (one.migrated ?? []).length > 0);
    if (last === undefined || last.version === version) return [];
    return [{ by: `${name} ${last.version}`, back: `${name} ${version}`, resources: last.migrated ?? [] }];
  });
}

/** Returns the error that names what a rollback would leave in the form of a newer version. */
export function rollbackUnsafe({ number }: Generation, ahead: readonly MigratedAhead[]): SolpackError {
  const words = ahead.map(({ by, resources }) => {
    const more = resources.length > NAMED ? ` and ${resources.length - NAMED} more` : '';
    return `${resources.slice(0, NAMED).join(', ')}${more} as the plugin of ${by} has migrated them`;
  });
  const message = `would leave ${words.join('; ')}`;
  const back = ahead.map((one) => one.back).join(', ');
  return new SolpackError('rollback-unsafe', `rollback to generation ${number}`, message, {
    hint: `install ${back} from its archive, whose plugin migrates them back; or go back anyway by --leave-migrated`,
  });
}
