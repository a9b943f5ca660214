import { resolveWorld } from '../../formats/resolve/resolve.ts';
import type { World } from '../../formats/resolve/world.ts';
import type { Release } from '../../formats/solution/relations.ts';

/**
 * Makes 200 Solutions of 20 versions, each of which requires so many others; the same each time. So many are wanted.
 * With graphs, each may be installed over the six versions before it only, and the cluster has the tenth version of all
 * that are wanted.
 */
export function manySolutions(needs: number, wanted: number, graphs = false): World {
  let seed = needs;
  const next = (): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x80000000;
  };
  const candidates = Array.from({ length: 200 * 20 }, (_, at): Release => {
    const requires: Record<string, string> = {};
    for (let count = 0; count < needs; count += 1) {
      const other = `s${Math.floor(next() * 200)}`;
      const from = Math.floor(next() * 10);
      if (other !== `s${at % 200}`) requires[other] = `>=${from}.0.0 <${from + 10}.0.0`;
    }
    const major = Math.floor(at / 200);
    const upgrade = { from: `>=${Math.max(major - 6, 0)}.0.0 <${major}.0.0`, skips: [`${Math.max(major - 8, 0)}.0.0`] };
    return { name: `s${at % 200}`, version: `${major}.0.0`, requires, ...(graphs && { upgrade }) };
  });
  const wants = Array.from({ length: wanted }, (_, at): [string, string] => [`s${at}`, 'latest']);
  if (!graphs) return { candidates, wants: new Map(wants) };
  const present = wants.map(([name]) => ({ release: { name, version: '10.0.0' }, configuration: 'own' }));
  return { candidates, wants: new Map(wants), present };
}

/**
 * Resolves such worlds, and tells of each what it took: the median and the most of some rounds, in seconds, and the
 * steps.
 */
export function resolving(rounds: number): string[] {
  const lines = [2, 4].flatMap((needs) =>
    [200, 1].map((wanted) => {
      const world = manySolutions(needs, wanted);
      let steps = 0;
      const taken = Array.from({ length: rounds }, () => {
        const since = performance.now();
        ({ steps } = resolveWorld(world));
        return (performance.now() - since) / 1000;
      }).sort((a, b) => a - b);
      const [median, most] = [taken[Math.floor(taken.length / 2)]!, taken.at(-1)!];
      const name = `${needs} required by each, ${wanted} wanted`;
      return `${name.padEnd(36)} ${median.toFixed(3).padStart(8)} ${most.toFixed(3).padStart(8)} ${String(steps).padStart(9)}`;
    }),
  );
  return [`${''.padEnd(36)}  seconds  slowest     steps`, ...lines];
}
