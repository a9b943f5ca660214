import { namesSecret } from '../../../../formats/secret-names.ts';
import { BLANK } from '../../../kernel/events/index.ts';
import { type Span, valueSpan } from './values.ts';

/**
 * A name, and what assigns a value to it, in YAML, JSON, TOML, properties, variables, and what programs print of their
 * settings.
 */
const names = /(?<![\p{L}\p{N}_.-])([\p{L}\p{N}_.-]+)(\\*["'`])?[ \t]*(=>|:=|==|%3[aAdD]|[:=])[ \t]*/gu;
/**
 * What says which setting it is, beside its value: `name: PASSWORD` with `value: x`, `<add key="password" value="x"/>`,
 * JSON Patch.
 */
const announcing =
  /(?<![\w.-])(?:name|key|variable|env|field|path|property|parameter|option|setting)(?:\\*["'`])?[ \t]*[:=][ \t]*(?:\\*["'`])?([^\s"'`\\,;&{}<>]+)/gi;
const announced = /(?<![\w.-])(?:value|val|default|defaultValue)(?:\\*["'`])?[ \t]*([:=])[ \t]*/gi;
const element = /<([\p{L}\p{N}_.:-]+)(?:\s[^<>]*)?>([^<]+)<\//gu;
const option = /(?<![\p{L}\p{N}_.-])(--?\p{L}[\p{L}\p{N}_.-]*)[ \t]+(?=[^\s-])/gu;
const login = /(?<!\S)((?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'/]+:)([^\s"']+)/g;
/** What redis.conf has, with nothing but blanks before the value. */
const redis = /(?<![\w.-])((?:requirepass|masterauth)[ \t]+)([^\s:=]\S*)/g;
const netrc = /(\blogin[ \t]+\S+[ \t]+password[ \t]+)(\S+)/g;
const section = /^[ \t]*\[+[ \t]*([\p{L}\p{N}_."'-]+)[ \t]*\]+[ \t]*$/u;
const setting = /^([ \t]*["']?[\w.-]+["']?[ \t]*[:=][ \t]*)\S/;
/** Characters between a name and its value, in one entry of a list of settings. */
const FAR = 500;

/** What a text is about, which says whether other names stand for secrets too. */
interface Kind {
  readonly secret: boolean;
  readonly generator: boolean;
}

/** Whether a text has a Secret, in YAML or JSON, or a patch of one. */
export function hasSecret(text: string): boolean {
  return /\bkind\\*["']?[ \t]*:[ \t]*\\*["']?Secret(?:List)?\b/.test(text);
}

/** Whether what stands below a field is secret, in a text of that kind. */
export function isSecretField(name: string, { secret, generator }: Kind): boolean {
  if (name === 'stringData' || (secret && (name === 'data' || name === 'binaryData'))) return true;
  return (generator && name === 'literals') || namesSecret(name);
}

/** Reports which kind a text is. */
export function kindOf(text: string): Kind {
  return { secret: hasSecret(text), generator: text.includes('secretGenerator') };
}

/** Whether a pointer of JSON Patch leads to a secret, or to what a Secret has. */
export function isSecretPath(path: string, isOfSecret: boolean): boolean {
  return (
    path.split('/').some(namesSecret) ||
    /^\/stringData\b/.test(path) ||
    (isOfSecret && /^\/(?:data|binaryData)\b/.test(path))
  );
}

/** Whether an argument says that the one behind it is a secret: `--password`. */
export function announcesSecret(argument: string): boolean {
  return /^--?[\p{L}\p{N}_.-]+$/u.test(argument) && namesSecret(argument);
}

/** Blanks what is assigned to names that say that it is a secret, in whatever way. */
export function blankAssigned(text: string): string {
  const kind = kindOf(text);
  const spans = [...assignedSpans(text, kind), ...announcedSpans(text, kind), ...optionSpans(text)];
  return blankSections(without(text, spans))
    .replace(element, (whole, name: string, value: string) =>
      namesSecret(name) && value.trim() !== '' ? `${whole.slice(0, -value.length - 2)}${BLANK}</` : whole,
    )
    .replace(login, (whole, before: string, password: string) => (/^\d+$/.test(password) ? whole : `${before}${BLANK}`))
    .replace(netrc, `$1${BLANK}`)
    .replace(redis, `$1${BLANK}`);
}

function assignedSpans(text: string, kind: Kind): Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const match of text.matchAll(names)) {
    const { 0: whole, 1: name = '', 3: separator = '', index } = match;
    if (index < done || !(isSecretField(name, kind) || (name === 'auth' && isLogin(text, index + whole.length))))
      continue;
    const start = /["'`]/.test(text[index - 1] ?? '') ? index - 1 : index;
    const span = valueSpan(text, { start, at: index + whole.length, separator });
    if (span === undefined) continue;
    spans.push(span);
    done = span[1];
  }
  return spans;
}

/** Whether a user and a password stand at a place, as they are or in Base64 (RFC 7617). */
function isLogin(text: string, at: number): boolean {
  return namesLogin(/[^\s"'\\,;{}[\]]*/.exec(text.slice(at, at + 1024).replace(/^\\*["']/, ''))?.[0] ?? '');
}

/** Whether a word is a user and a password, as they are or in Base64 (RFC 7617). */
export function namesLogin(word: string): boolean {
  return [word, Buffer.from(word, 'base64').toString()].some((one) => {
    const colon = one.indexOf(':');
    return colon > 0 && /^[\x21-\x7e]+$/.test(one.slice(0, colon)) && /^[\x20-\x7e]+$/.test(one.slice(colon + 1));
  });
}

/** Finds values that stand beside the names of their settings, in the same entry. */
function announcedSpans(text: string, { secret }: Kind): Span[] {
  const values = [...text.matchAll(announced)];
  if (values.length === 0) return [];
  const starts = values.map(({ index }) => index);
  const spans: Span[] = [];
  let before = 0;
  let value = 0;
  const all = [...text.matchAll(announcing)];
  for (const [at, { index, 0: whole, 1: name = '' }] of all.entries()) {
    const end = index + whole.length;
    while (value < starts.length && starts[value]! < index) value += 1;
    if (isSecretPath(name, secret)) {
      const next = all[at + 1]?.index ?? text.length;
      const [behind, ahead] = [values[value - 1], values[value]];
      if (ahead && ahead.index < next && ahead.index - end < FAR) spans.push(...spanOf(text, ahead));
      else if (
        behind &&
        behind.index >= before &&
        index - behind.index < FAR &&
        isSame(text.slice(behind.index, index))
      )
        spans.push(...spanOf(text, behind));
    }
    before = end;
  }
  return spans;
}

function spanOf(text: string, { index, 0: whole, 1: separator = '' }: RegExpExecArray): Span[] {
  const start = /["'`]/.test(text[index - 1] ?? '') ? index - 1 : index;
  const span = valueSpan(text, { start, at: index + whole.length, separator });
  return span === undefined ? [] : [span];
}

/** Whether what stands between a value and a name begins no other entry. */
function isSame(between: string): boolean {
  return !/[{}]|\n[ \t]*- /.test(between);
}

function optionSpans(text: string): Span[] {
  return [...text.matchAll(option)].flatMap(({ index, 0: whole, 1: name = '' }) => {
    if (!announcesSecret(name)) return [];
    const at = index + whole.length;
    const span = valueSpan(text, { start: at, at, separator: ' ' });
    return span === undefined ? [] : [span];
  });
}

function without(text: string, spans: readonly Span[]): string {
  let [rest, done] = ['', 0];
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    if (end <= done) continue;
    rest += start < done ? '' : text.slice(done, start) + BLANK;
    done = end;
  }
  return rest + text.slice(done);
}

/** Blanks all settings of a section whose name says that they are secrets (TOML, INI). */
function blankSections(text: string): string {
  if (!text.includes('[')) return text;
  let inside = false;
  return text
    .split('\n')
    .map((line) => {
      const name = section.exec(line)?.[1];
      if (name !== undefined) inside = name.split('.').some(namesSecret);
      const before = inside ? setting.exec(line)?.[1] : undefined;
      return before === undefined ? line : `${before}${BLANK}`;
    })
    .join('\n');
}
