import type { Unread } from './finding.ts';

/** What an image contains and the document does not describe, each kind once. */
export class UnreadList {
  readonly #found = new Map<string, Unread & { readonly first: string; count: number }>();

  /** Notes that the file or layer `where` was not read. Calls have to come in a fixed order. */
  note(where: string, unread: Unread): void {
    const key = `${unread.what}\n${unread.why}`;
    const known = this.#found.get(key);
    if (known) known.count += 1;
    else this.#found.set(key, { ...unread, first: where, count: 1 });
  }

  /**
   * Returns a line for each kind: what it is, where the first one is, how many more there are, and why they were not
   * read.
   */
  lines(): string[] {
    return [...this.#found.values()].map(({ what, why, first, count }) => {
      const others = count === 1 ? '' : ` and ${count - 1} more`;
      return `${what} ${first}${others}: ${why}`;
    });
  }
}
