/**
 * Writes a pattern so that it means the same in JavaScript and in Rust, whose patterns Taplo has: there a `[` within a
 * class begins another class, and `/` has no backslash.
 */
export function portablePattern(source: string): string {
  let [written, isClass] = ['', false];
  for (let at = 0; at < source.length; at += 1) {
    const [letter, next] = [source[at]!, source[at + 1] ?? ''];
    if (letter === '\\') {
      written += next === '/' ? next : letter + next;
      at += 1;
    } else if (letter === '[' && isClass) written += '\\[';
    else {
      if (letter === '[') isClass = true;
      if (letter === ']') isClass = false;
      written += letter;
    }
  }
  return written;
}
