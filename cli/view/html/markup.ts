import { plain } from '../../io.ts';

/** What may stand in a template: a text, which is escaped; markup, which is not; or several of these. */
export type TemplatePart = string | number | Markup | undefined | readonly (Markup | undefined)[];

/** Markup that `html` has made, and nobody else: so all that came from elsewhere is escaped in it. */
export class Markup {
  readonly text: string;
  /** Only `html` has one. */
  private constructor(text: string) {
    this.text = text;
  }

  /** What `html` is. */
  static of(literals: readonly string[], parts: readonly TemplatePart[]): Markup {
    if (!checked.has(literals)) requirePlaces(literals);
    checked.add(literals);
    return new Markup(literals.map((literal, at) => `${literal}${written(parts[at])}`).join(''));
  }
}

/**
 * Makes markup of a template. Texts and numbers in it are escaped, for elements and for attributes in quotation marks;
 * control characters, and those that turn the direction of writing, are shown as escapes. Throws where a part stands in
 * an attribute without quotation marks, or names an element or an attribute: no escape would do there.
 */
export function html(literals: TemplateStringsArray, ...parts: TemplatePart[]): Markup {
  return Markup.of(literals, parts);
}

/** Templates that were looked at: there are few, however often each is filled. */
const checked = new WeakSet<readonly string[]>();

function requirePlaces(literals: readonly string[]): void {
  let before = '';
  for (const literal of literals.slice(0, -1)) {
    before += literal;
    const tag = before.slice(before.lastIndexOf('<') + 1);
    const isInTag = before.includes('<') && !tag.includes('>');
    const isQuoted = /="[^"<>]*$/.test(tag) && (tag.split('"').length - 1) % 2 === 1;
    if (isInTag && !isQuoted) throw new Error(`nothing can be put in safely behind ${JSON.stringify(before)}`);
  }
}

function written(part: TemplatePart): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(written).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return plain(text).replace(/[&<>"']/g, (character) => entities[character]!);
}
