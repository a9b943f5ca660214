/**
 * Returns whether `pattern`, in which each `*` stands for any number of any letters, matches `name`. Takes at most
 * `name.length * pattern.length` steps, because only the latest `*` is ever tried again.
 */
export function matchesName(pattern: string, name: string): boolean {
  let [at, from] = [0, 0];
  let star: { readonly pattern: number; name: number } | undefined;
  while (from < name.length) {
    if (pattern[at] === '*') {
      star = { pattern: at, name: from };
      at += 1;
    } else if (pattern[at] === name[from]) {
      at += 1;
      from += 1;
    } else if (star) {
      star.name += 1;
      at = star.pattern + 1;
      from = star.name;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}
