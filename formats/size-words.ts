const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Writes a count of bytes for people: `12.3 MiB`. */
export function sizeWords(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${count} B` : `${value.toFixed(1)} ${units[unit]}`;
}

/** Writes two counts of bytes that are compared: to the last byte where they would look alike otherwise. */
export function sizePair(one: number, other: number): readonly [string, string] {
  const words = [sizeWords(one), sizeWords(other)] as const;
  return words[0] === words[1] ? [exactSize(one), exactSize(other)] : words;
}

function exactSize(count: number): string {
  return `${count.toLocaleString('en-US')} B`;
}
