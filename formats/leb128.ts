/** Encodes a whole number in groups of 7 bits, the lowest first (LEB128). */
export function encodeLeb128(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return [...bytes, left];
}
