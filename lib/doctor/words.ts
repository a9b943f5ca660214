/** Formats a count of bytes: `12.3 MiB`. */
export function sizeWords(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes / 1024, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${value.toFixed(1)} ${units[unit]}`;
}
