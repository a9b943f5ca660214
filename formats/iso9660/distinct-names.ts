/** A name as two parts. The stem may be cut and numbered; the extension is kept. */
export interface NameParts {
  readonly stem: string;
  /** The extension with its dot, or ''. */
  readonly extension: string;
  /** The most characters that the whole name may have. */
  readonly limit: number;
}

/** How the names of one tree are kept apart. */
export interface DistinctRules {
  /** The text between a stem and its number. */
  readonly mark: string;
  /** Maps a name to a form that is equal for names which some reader takes for the same. */
  readonly fold: (name: string) => string;
  /** Returns the first `length` characters of a stem, or fewer if the cut would split a character. */
  readonly cut: (stem: string, length: number) => string;
}

/** Digits of the largest number: more than a directory can have entries. */
const DIGITS = 7;

/**
 * Makes one name for each of `items`, in their order, so that no two have an equal fold. A name is cut to its limit. If
 * an earlier item took it already, it gets a number, from 1 on. The result depends on the parts that `partsOf` gives
 * and on their order, on nothing else. The work grows with the number of items, however many of them collide.
 */
export function distinctNames<T>(items: readonly T[], partsOf: (item: T) => NameParts, rules: DistinctRules): string[] {
  const taken = new Set<string>();
  // Each group of equal names counts on from its last number; otherwise many equal names would be tried again and
  // again.
  const counters = new Map<string, number>();
  return items.map((item) => {
    const { stem, extension, limit } = partsOf(item);
    let name = rules.cut(stem, limit - extension.length) + extension;
    let fold = rules.fold(name);
    if (taken.has(fold)) {
      const short = rules.cut(stem, limit - extension.length - rules.mark.length - DIGITS) + rules.mark;
      const group = rules.fold(`${short}/${extension}`);
      let number = counters.get(group) ?? 1;
      do {
        name = `${short}${number}${extension}`;
        fold = rules.fold(name);
        number += 1;
      } while (taken.has(fold));
      counters.set(group, number);
    }
    taken.add(fold);
    return name;
  });
}
