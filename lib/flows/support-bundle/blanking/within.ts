import { isRecord } from '../../../../formats/record.ts';
import { namesSecret } from '../../../../formats/secret-names.ts';

/** Characters that a text has to have to be a secret because of its name. */
const LEAST = 6;

/** User and password of a URL (RFC 3986, section 3.2.1). */
const userinfo = /:\/\/[^\s/?#"'<>:@]*:([^\s/?#"'<>]*)@/g;
/** A setting in a line of its own, as YAML, TOML, properties and environments have them. */
const setting = /^[ \t]*(?:export )?["']?([\w.-]+)["']?[ \t]*[:=](.*)$/gm;

/** Lists the texts of a value that stand below names of secrets; those that are words of every day are none. */
export function namedSecrets(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namedSecrets);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    if (typeof one !== 'string') return namedSecrets(one);
    return namesSecret(name) && one.length >= LEAST ? [one] : [];
  });
}

/**
 * Lists the secrets that a secret is made of, where it is a file of settings, or a URL: a program may print one of them
 * alone.
 */
export function secretsWithin(text: string): string[] {
  const passwords = [...text.matchAll(userinfo)].flatMap(([, password = '']) => [password, decoded(password)]);
  const settings = [...text.matchAll(setting)].flatMap(([, name = '', value = '']) => {
    const plain = value.trim().replace(/^["']|["'],?$/g, '');
    return namesSecret(name) && plain.length >= LEAST ? [plain] : [];
  });
  return [...passwords, ...settings, ...namedSecrets(parsed(text))];
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
