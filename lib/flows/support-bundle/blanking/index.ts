import { isRecord } from '../../../../formats/record.ts';
import { BLANK } from '../../../kernel/events/redaction.ts';
import { blankEncoded } from './encoded.ts';
import { knownSecrets } from './known.ts';
import { announcesSecret, blankLooks } from './looks.ts';
import { namesSecret, refersToSecret } from './names.ts';
import { secretsWithin } from './within.ts';

export { namedSecrets } from './within.ts';

/** Blanks secrets in all that leaves a machine. */
export interface Blanking {
  /** In a whole text. */
  text(text: string): string;
  /** In a part of a text, such as a line of it: what is known alone, since what only looks like a secret shows in the whole. */
  part(text: string): string;
  /** In a value that is data, with its names: also what stands below a name that says that it is a secret. */
  data(value: unknown): unknown;
}

/**
 * Makes what blanks `secrets` in every form that they may have, and besides what looks like a secret. A text is blanked rather
 * twice than not at all.
 */
export function blankingOf(secrets: Iterable<string>): Blanking {
  const all = [...secrets];
  const known = knownSecrets([...all, ...all.flatMap(secretsWithin)]);
  const isTelling = (decoded: string): boolean => known.isIn(decoded) || blankLooks(decoded) !== decoded;
  const text = (plain: string): string => blankLooks(known.blank(blankEncoded(plain, isTelling)));
  const data = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map((one, at) => (isAnnounced(value[at - 1], one) ? BLANK : data(one)));
    if (!isRecord(value)) return value;
    const isVariable = typeof value['name'] === 'string' && namesSecret(value['name']);
    const isSecret = (name: string): boolean =>
      namesSecret(name) ||
      name === 'stringData' ||
      (isVariable && name === 'value') ||
      (isKindSecret(value) && name === 'data');
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [text(name), isSecret(name) ? below(one) : data(one)]),
    );
  };
  /** What stands below the name of a secret: its names stay, and what only says where the secret is. */
  const below = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null && refersToSecret(value)) return data(value);
    if (Array.isArray(value)) return value.map(below);
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [text(name), below(one)]));
    return typeof value === 'boolean' || value === null || value === undefined || value === '' ? value : BLANK;
  };
  return { text, part: (plain) => known.blank(plain), data };
}

function isKindSecret({ kind }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'Secret';
}

function isAnnounced(before: unknown, value: unknown): boolean {
  return typeof before === 'string' && typeof value === 'string' && announcesSecret(before);
}
