/**
 * Lends `resource` to `work`, and releases it when `work` has ended in any way. It replaces `await using`, which
 * Node.js 22 cannot parse.
 */
export async function lend<R extends AsyncDisposable, T>(resource: R, work: (resource: R) => Promise<T>): Promise<T> {
  try {
    return await work(resource);
  } finally {
    await resource[Symbol.asyncDispose]();
  }
}
