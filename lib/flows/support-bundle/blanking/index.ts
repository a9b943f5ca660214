import { isRecord } from '../../../../formats/record.ts';
import { namesSecret } from '../../../../formats/secret-names.ts';
import { BLANK } from '../../../kernel/events/index.ts';
import { announcesSecret, isSecretPath, namesLogin } from './assigned.ts';
import { blankEncoded } from './encoded.ts';
import { knownSecrets } from './known.ts';
import { blankLooks } from './looks.ts';
import { refersToSecret, tellsPlace } from './references.ts';
import { secretsWithin } from './within.ts';

export { namedSecrets } from './within.ts';

/** Blanks secrets in all that leaves a machine. */
export interface Blanking {
  /** In a whole text. */
  text(text: string): string;
  /**
   * In a part of a text, such as a line of it: what is known alone, because what only looks like a secret shows in the
   * whole.
   */
  part(text: string): string;
  /** In a value that is data, with its names: also what stands below a name that says that it is a secret. */
  data(value: unknown): unknown;
}

/** Fields that say which setting it is whose value stands beside them. */
const naming: ReadonlySet<string> = new Set([
  ...['name', 'key', 'variable', 'env', 'field', 'path', 'property', 'parameter', 'option', 'setting'],
]);
const valued: ReadonlySet<string> = new Set(['value', 'val', 'default', 'defaultvalue']);

/**
 * Makes what blanks `secrets` in every form that they may have, and besides what looks like a secret. A text is blanked
 * rather twice than not at all.
 */
export function blankingOf(secrets: Iterable<string>): Blanking {
  const all = [...secrets];
  const known = knownSecrets([...all, ...all.flatMap(secretsWithin)]);
  const isTelling = (decoded: string): boolean => known.isIn(decoded) || blankLooks(decoded) !== decoded;
  const text = (plain: string): string => blankLooks(known.blank(blankEncoded(plain, isTelling)));
  const data = (value: unknown, ofSecret = false): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value))
      return value.map((one, at) => (isAnnounced(value, at) ? below(one) : data(one, ofSecret)));
    if (!isRecord(value)) return value;
    const kind = kindOf(value, ofSecret);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        text(name),
        isSecret(name, one, kind) ? below(one) : data(one, kind.list && name === 'items'),
      ]),
    );
  };
  /** What stands below the name of a secret: its names stay, and what only says where the secret is. */
  const below = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null && refersToSecret(value)) return reference(value);
    if (Array.isArray(value)) return value.map(below);
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [text(name), below(one)]));
    return typeof value === 'boolean' || value === null || value === undefined || value === '' ? value : BLANK;
  };
  const reference = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reference);
    if (!isRecord(value)) return data(value);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, tellsPlace(name, one) ? data(one) : below(one)]),
    );
  };
  return { text, part: (plain) => known.blank(plain), data };
}

/** What a mapping is, which says whether other fields of it are secrets too. */
interface Kind {
  /** A Secret. */
  readonly secret: boolean;
  /** A list of Secrets. */
  readonly list: boolean;
  /** A patch of a Secret. */
  readonly patch: boolean;
  /** A setting, of which the name says that its value is secret. */
  readonly setting: boolean;
}

function kindOf(value: Readonly<Record<string, unknown>>, ofSecret: boolean): Kind {
  const { kind, target } = value;
  const secret = ofSecret || kind === 'Secret';
  const setting = Object.entries(value).some(
    ([name, one]) => naming.has(name.toLowerCase()) && typeof one === 'string' && isSecretPath(one, secret),
  );
  return { secret, list: kind === 'SecretList', patch: isRecord(target) && target['kind'] === 'Secret', setting };
}

function isSecret(name: string, value: unknown, { secret, patch, setting }: Kind): boolean {
  const lower = name.toLowerCase();
  if (namesSecret(name) || lower === 'stringdata' || lower === 'authorization') return true;
  if (secret && (lower === 'data' || lower === 'binarydata')) return true;
  if (name === 'auth') return typeof value === 'string' && namesLogin(value);
  return (setting && valued.has(lower)) || (patch && name === 'patch') || name === 'secretGenerator';
}

/** Whether what stands before an entry of a list says that it is a secret: an option, or the name in a pair. */
function isAnnounced(list: readonly unknown[], at: number): boolean {
  const before = list[at - 1];
  if (typeof before !== 'string') return false;
  if (list.length === 2 && namesSecret(before)) return true;
  return typeof list[at] === 'string' && announcesSecret(before);
}
