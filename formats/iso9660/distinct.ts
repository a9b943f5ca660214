/** A name in the two parts that are cut and numbered apart. */
export interface NameParts {
  readonly stem: string;
  /** With its dot, or ''. */
  readonly extension: string;
  /** The most characters that the whole name may have. */
  readonly limit: number;
}

/** How names of one tree are told apart. */
export interface DistinctRules {
  /** Stands between a stem and its number. */
  readonly mark: string;
  /** Names of equal fold are the same name to some reader. */
  readonly fold: (name: string) => string;
  /** The first `length` characters of a stem, or fewer where more would split one. */
  readonly cut: (stem: string, length: number) => string;
}

/** More numbers than a directory can have entries. */
const DIGITS = 7;

/**
 * A name for each of `items`, in their order, no two of equal fold: cut to its limit, and numbered from 1 where an earlier
 * one took it. Depends on the parts that `partsOf` gives, and their order, alone. The work grows with the number of
 * items, however they collide.
 */
export function distinctNames<T>(items: readonly T[], partsOf: (item: T) => NameParts, rules: DistinctRules): string[] {
  const taken = new Set<string>();
  // Counting on from the last number of a group keeps many equal names from being tried again and again.
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
