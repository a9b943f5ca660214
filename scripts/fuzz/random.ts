/** Numbers that look random, and are the same for the same start. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of `list`, which is not empty. */
  pick<T>(list: readonly T[]): T;
  /** Whether something happens that happens once in `times`. */
  once(times: number): boolean;
}

/** The numbers of one execution: those of execution 5 do not depend on whether 4 was run. */
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

/** The finalizer of MurmurHash3: neighbours end far apart. */
function mix(value: number): number {
  let hash = (value + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
