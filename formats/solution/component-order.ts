import type { Problem } from '../document/problems.ts';

/** A component with those that it waits for. */
interface Waiting {
  readonly name: string;
  readonly after: readonly string[];
}

/** Finds components that wait for what is not there, or for themselves. */
export function wrongOrder(components: readonly Waiting[]): Problem[] {
  const names = components.map((entry) => entry.name);
  const problems = components.flatMap((entry, index) =>
    entry.after.flatMap((name, position) =>
      names.includes(name)
        ? []
        : [{ path: `components.${index}.after.${position}`, message: `there is no component "${name}"` }],
    ),
  );
  if (problems.length > 0) return problems;
  const missing = new Set(names);
  for (const entry of ordered(components)) missing.delete(entry.name);
  return [...missing].map((name) => ({
    path: `components.${names.indexOf(name)}.after`,
    message: `waits for itself, through ${[...missing].join(', ')}`,
  }));
}

/**
 * Sorts components so that each comes after those it waits for, otherwise in their order; leaves out those in a circle.
 */
export function ordered<T extends Waiting>(components: readonly T[]): T[] {
  const waiting = [...components];
  const placed: T[] = [];
  const done = new Set<string>();
  for (;;) {
    const index = waiting.findIndex((entry) => entry.after.every((name) => done.has(name)));
    if (index < 0) return placed;
    const [entry] = waiting.splice(index, 1);
    placed.push(entry!);
    done.add(entry!.name);
  }
}
