/** Makes a function of one that `load` imports when it is first called: what it returns is promised. */
export function lazily<A extends unknown[], R>(
  load: () => Promise<(...given: A) => R | PromiseLike<R>>,
): (...given: A) => Promise<R> {
  return async (...given) => {
    const work = await load();
    return await work(...given);
  };
}

/** The same for a function that gives one value after the other. */
export function lazilyEach<A extends unknown[], T>(
  load: () => Promise<(...given: A) => AsyncIterable<T>>,
): (...given: A) => AsyncGenerator<T, void> {
  return async function* (...given) {
    yield* (await load())(...given);
  };
}
