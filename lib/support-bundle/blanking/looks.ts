import { redact } from '../../errors.ts';
import { BLANK } from '../../redaction.ts';

const word =
  /(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|credentials?|(?:private|api|access)[-_.]?key|dsn)\d*$/i;
const assigned =
  /((?:passw(?:or)?d|passwd|passphrase|secret|token|credentials?|(?:private|api|access)[-_.]?key)\d*(?:\\*["'])?\s*[:=][ \t]*(?:\\*["'])?)([^\s"'\\,;&]+)/gi;
const authorization = /(authorization(?:\\*["'])?\s*[:=][\s[]*(?:\\*["'])?(?:[a-z]+ )?)[^\s"'\\,;]+/gi;
const bearer = /\b(bearer[ \t]+)[\w.~+/=-]{8,}/gi;
/** User and password of a URL (RFC 3986, section 3.2.1). */
const userinfo = /:\/\/[^\s/?#"'<>]*@/g;
const dotted = /[\w.-]+/g;
const BEGIN = '-----BEGIN ';
const END = '-----END ';
const KEY = 'PRIVATE KEY-----';

/** Whether the name of a field or a variable says that its value is a secret. */
export function namesSecret(name: string): boolean {
  return word.test(name);
}

/** Whether an argument says that the one behind it is a secret: `--password`. */
export function announcesSecret(argument: string): boolean {
  return /^--?[\w.-]+$/.test(argument) && namesSecret(argument);
}

/**
 * Blanks what looks like a secret, whoever made it: users and passwords in URLs, private keys in PEM, tokens (JWT, RFC 7519), and
 * what is assigned to a name that says that it is one.
 */
export function blankLooks(text: string): string {
  const setting = /^[\w.-]+(?==)/.exec(text)?.[0];
  if (setting !== undefined && namesSecret(setting) && !text.includes('\n')) return `${setting}=${BLANK}`;
  return redact(withoutKeys(text).replace(userinfo, `://${BLANK}@`))
    .replace(authorization, `$1${BLANK}`)
    .replace(bearer, `$1${BLANK}`)
    .replace(assigned, `$1${BLANK}`)
    .replace(dotted, (one) => (isToken(one) ? BLANK : one));
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
      // Its beginning was in what is not there any longer: nobody knows how much of it is left.
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
