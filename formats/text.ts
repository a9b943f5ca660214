/** `text` without what is one of `characters` at its end. As a pattern this would take the square of the time. */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** `text` without what is one of `characters` at either end. */
export function trimmed(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start]!)) start += 1;
  return trimmedEnd(text.slice(start), characters);
}
