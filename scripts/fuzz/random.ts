/** Pseudo-random numbers, the same for the same start. */
export interface Random {
  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** Returns one of `list`, which is not empty. */
  pick<T>(list: readonly T[]): T;
  /** Returns true once in `times` on average. */
  once(times: number): boolean;
}

/** Makes the numbers of one execution, which do not depend on other executions. */
export function randomOf(seed: number, execution: number): Random {
  let state = mix(mix(seed >>> 0) ^ mix(execution >>> 0) ^ Math.floor(execution / 2 ** 32));
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return (value ^ (value >>> 14)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return { below, pick: (list) => list[below(list.length)]!, once: (times) => below(times) === 0 };
}

/** Mixes the bits of a number with the finalizer of MurmurHash3, which separates neighbours. */
function mix(value: number): number {
  let hash = (value + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
