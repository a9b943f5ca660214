/** A rectangle, in shares of the whole: from 0 to 1. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Something with an amount, and where it is drawn. */
export interface Drawn<T> extends Area {
  readonly item: T;
}

/**
 * Gives each item a rectangle in `within` as large as its amount, with sides as alike as they can be (Bruls, Huizing,
 * van Wijk, "Squarified Treemaps"). `ratio` is that of the width to the height of `within` on the screen. Items without
 * an amount get none.
 */
export function treemapOf<T>(items: readonly T[], amount: (item: T) => number, ratio: number): Drawn<T>[] {
  const left = items.filter((item) => amount(item) > 0).sort((a, b) => amount(b) - amount(a));
  const total = left.reduce((sum, item) => sum + amount(item), 0);
  const drawn: Drawn<T>[] = [];
  // On the screen, the whole is `ratio` wide and 1 high.
  const size = (item: T): number => (amount(item) / total) * ratio;
  let free = { x: 0, y: 0, width: ratio, height: 1 };
  for (let from = 0; from < left.length; ) {
    const side = Math.min(free.width, free.height);
    let to = from + 1;
    while (to < left.length && worst(left, from, to + 1, size, side) <= worst(left, from, to, size, side)) to += 1;
    const row = left.slice(from, to);
    const depth = row.reduce((sum, item) => sum + size(item), 0) / side;
    let along = 0;
    for (const item of row) {
      const length = size(item) / depth;
      const area =
        free.width < free.height
          ? { x: free.x + along, y: free.y, width: length, height: depth }
          : { x: free.x, y: free.y + along, width: depth, height: length };
      drawn.push({ item, x: area.x / ratio, y: area.y, width: area.width / ratio, height: area.height });
      along += length;
    }
    free =
      free.width < free.height
        ? { ...free, y: free.y + depth, height: free.height - depth }
        : { ...free, x: free.x + depth, width: free.width - depth };
    from = to;
  }
  return drawn;
}

/** Returns the ratio of the sides of the item of a row that is least like a square. */
function worst<T>(items: readonly T[], from: number, to: number, size: (item: T) => number, side: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += size(items[at]!);
  const [most, least] = [size(items[from]!), size(items[to - 1]!)];
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}
