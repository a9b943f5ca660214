/** Names, and for each of them those that it leads to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds circles, as `a -> b -> a`: none only where there is none, and of several that share names not each. */
export function circles(graph: Graph): string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const enter = (name: string): void => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') {
      found.push([...path.slice(path.indexOf(name)), name].join(' -> '));
      return;
    }
    state.set(name, 'open');
    path.push(name);
    for (const next of graph.get(name) ?? []) enter(next);
    path.pop();
    state.set(name, 'done');
  };
  for (const name of graph.keys()) enter(name);
  return found;
}

/**
 * Finds the longest way through a graph, from its first name to its last. It goes on no further where a circle closes.
 */
export function longestChain(graph: Graph): string[] {
  const known = new Map<string, string[]>();
  const from = (name: string): string[] => {
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, []);
    const rest = [...(graph.get(name) ?? [])].map(from);
    const chain = [name, ...rest.reduce((longest, one) => (one.length > longest.length ? one : longest), [])];
    known.set(name, chain);
    return chain;
  };
  return [...graph.keys()].map(from).reduce((longest, one) => (one.length > longest.length ? one : longest), []);
}
