import { BLANK, redact } from '../../../kernel/events/index.ts';
import { blankAssigned, isSecretField, kindOf } from './assigned.ts';

const authorization = /(authorization(?:\\*["'])?\s*[:=][\s[]*(?:\\*["'])?(?:[a-z]+ )?)[^\s"'\\,;]+/gi;
const bearer = /\b(bearer[ \t]+)[\w.~+/=-]{8,}/gi;
/** User and password of a URL (RFC 3986, section 3.2.1). */
const userinfo = /:\/\/[^\s/?#"'<>]*@/g;
const dotted = /[\w.-]+/g;
const BEGIN = '-----BEGIN ';
const END = '-----END ';
const KEY = 'PRIVATE KEY-----';

/**
 * Blanks what looks like a secret, whoever made it: users and passwords in URLs, private keys in PEM, tokens (JWT, RFC
 * 7519), and what is assigned to a name that says that it is one.
 */
export function blankLooks(text: string): string {
  return blankAssigned(redact(blankBlocks(withoutKeys(text)).replace(userinfo, `://${BLANK}@`)))
    .replace(authorization, `$1${BLANK}`)
    .replace(bearer, `$1${BLANK}`)
    .replace(dotted, (one) => (isToken(one) ? BLANK : one));
}

/** A line of YAML that begins a block: its indentation, and the name that the block has. */
const opening = /^([ \t]*(?:- +)?)["']?([\p{L}\w.-]+)["']?:((?: +[&!][\w!.:/-]*)*)(?: +[|>][+-]?\d?[+-]?)?(?: +#.*)?$/u;
const field = /^([ \t]*(?:- +)?["']?([\p{L}\w.-]+)["']?:[ \t]*)\S/u;
const listed = /^([ \t]*- +)\S/;

/**
 * Blanks what stands in the block of YAML below the name of a secret, or below `stringData`; where the text has a
 * Secret, also below `data`. What only says where a secret is stays.
 */
function blankBlocks(text: string): string {
  if (!text.includes('\n')) return text;
  const kind = kindOf(text);
  let inside: number | undefined;
  const lines = text.split('\n').map((line) => {
    const indent = line.length - line.trimStart().length;
    const isList = inside !== undefined && indent === inside && line.trimStart().startsWith('- ');
    if (inside !== undefined && line.trim() !== '' && indent <= inside && !isList) inside = undefined;
    if (inside !== undefined) return line.trim() === '' ? line : blankLine(line);
    const [, before = '', name] = opening.exec(line.trimEnd()) ?? [];
    if (name !== undefined && isSecretField(name, kind)) inside = before.length;
    return line;
  });
  return lines.join('\n');
}

/** Words of fields that say where a secret is. */
const places = ['name', 'secretName', 'namespace', 'kind', 'apiVersion', 'optional', 'items', 'defaultMode', 'path'];

function blankLine(line: string): string {
  const [, before, name = ''] = field.exec(line) ?? [];
  if (before !== undefined) return places.includes(name) ? line : `${before}${BLANK}`;
  if (opening.test(line.trimEnd())) return line;
  const [, dash] = listed.exec(line) ?? [];
  return `${dash ?? line.slice(0, line.length - line.trimStart().length)}${BLANK}`;
}

/** Decides whether a word has a token in it: JSON in Base64, and a dot behind it (RFC 7519, section 3). */
function isToken(text: string): boolean {
  const begin = text.indexOf('eyJ');
  return begin >= 0 && text.length - begin > 20 && text.indexOf('.', begin) > begin;
}

/** Blanks private keys in PEM (RFC 7468), also where only the beginning or the end of one is there. */
function withoutKeys(text: string): string {
  if (!text.includes(KEY)) return text;
  let [rest, at] = ['', 0];
  for (let key = text.indexOf(KEY); key >= 0; key = text.indexOf(KEY, at)) {
    const begin = text.lastIndexOf('-----', key);
    if (text.startsWith(BEGIN, begin)) {
      const end = text.indexOf(END, key);
      rest += `${text.slice(at, Math.max(at, begin))}${BLANK}`;
      at = end < 0 ? text.length : endOfLine(text, end + END.length);
    } else {
      // Its beginning was in what no longer exists: it is unknown how much of it is left.
      rest += BLANK;
      at = key + KEY.length;
    }
  }
  return rest + text.slice(at);
}

/** Returns where the `-----` ends that closes a line of PEM. */
function endOfLine(text: string, from: number): number {
  const close = text.indexOf('-----', from);
  return close < 0 ? text.length : close + '-----'.length;
}
