/**
 * Returns `text` without those of `characters` that it ends in. A pattern for this would take the square of the time.
 */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Returns `text` without those of `characters` that it begins or ends in. */
export function trimmed(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start]!)) start += 1;
  return trimmedEnd(text.slice(start), characters);
}
