import { eastAsianWidth } from 'get-east-asian-width';

/**
 * The cells of one line on a terminal that knows characters one by one, tabs and wide characters; the second cell of a
 * wide one is ''. Throws for what a terminal would obey.
 */
export function terminal(text: string): string[] {
  const cells: string[] = [];
  for (const character of text) {
    if (character === '\t') {
      do cells.push(' ');
      while (cells.length % 8 > 0);
    } else if (/\p{C}/u.test(character)) {
      throw new Error(`U+${character.codePointAt(0)!.toString(16)} reached the terminal`);
    } else if (/\p{M}|\p{Emoji_Modifier}/u.test(character) && cells.length > 0) {
      cells.push(`${cells.pop()}${character}`);
    } else {
      cells.push(character, ...Array.from({ length: eastAsianWidth(character.codePointAt(0)!) - 1 }, () => ''));
    }
  }
  return cells;
}
