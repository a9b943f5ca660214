import { isDeepStrictEqual } from 'node:util';
import type { SchemaPart } from './schemas.ts';

type Fields = Readonly<Record<string, SchemaPart>>;

/** Keywords that are compared by what they say. All others have to be the same. */
const compared = new Set(['properties', 'required', 'enum', 'anyOf', 'oneOf', 'items', 'additionalProperties']);

/**
 * Lists what `now` takes from those who rely on `kept`: fields that are gone or may be absent, other types, other
 * bounds, words that no longer occur. Fields, words and members of a `oneOf`, which a word distinguishes, may come.
 * With `read`, it is input as well, and no field may have to be there that was not before.
 */
export function schemaBreaches(at: string, kept: SchemaPart, now: SchemaPart, read: boolean): string[] {
  const keywords = new Set([...Object.keys(kept), ...Object.keys(now)]);
  const other = [...keywords]
    .filter((keyword) => !compared.has(keyword) && !isDeepStrictEqual(kept[keyword], now[keyword]))
    .map((keyword) => `${at}: ${keyword} was ${shown(kept[keyword])} and is ${shown(now[keyword])}`);
  return [
    ...other,
    ...fieldBreaches(at, kept, now, read),
    ...wordBreaches(at, kept['enum'], now['enum']),
    ...formBreaches(at, kept['anyOf'], now['anyOf'], read, false),
    ...formBreaches(at, kept['oneOf'], now['oneOf'], read, true),
    ...innerBreaches(`${at}[]`, kept['items'], now['items'], read),
    ...innerBreaches(`${at}.*`, kept['additionalProperties'], now['additionalProperties'], read),
  ];
}

function fieldBreaches(at: string, kept: SchemaPart, now: SchemaPart, read: boolean): string[] {
  const [before, after] = [fieldsOf(kept), fieldsOf(now)];
  const [had, has] = [requiredOf(kept), requiredOf(now)];
  const changed = Object.entries(before).flatMap(([name, field]) => {
    const same = after[name];
    return same ? schemaBreaches(`${at}.${name}`, field, same, read) : [`${at}.${name}: is gone`];
  });
  const absent = had.filter((name) => after[name] && !has.includes(name)).map((name) => `${at}.${name}: may be absent`);
  const demanded = read
    ? has.filter((name) => !had.includes(name)).map((name) => `${at}.${name}: has to be there`)
    : [];
  return [...changed, ...absent, ...demanded];
}

function wordBreaches(at: string, kept: unknown, now: unknown): string[] {
  if (!Array.isArray(kept) || !Array.isArray(now)) {
    return kept === now ? [] : [`${at}: enum was ${shown(kept)} and is ${shown(now)}`];
  }
  return kept.filter((word) => !now.includes(word)).map((word) => `${at}: is never ${shown(word)} any longer`);
}

function formBreaches(at: string, kept: unknown, now: unknown, read: boolean, tagged: boolean): string[] {
  if (!Array.isArray(kept) || !Array.isArray(now)) {
    return kept === now ? [] : [`${at}: is of other forms than before`];
  }
  const nearest = (form: SchemaPart): string[] =>
    now
      .map((one) => schemaBreaches(at, form, one, read))
      .reduce((least, found) => (found.length < least.length ? found : least));
  const more = !tagged && now.length > kept.length ? [`${at}: has another form`] : [];
  return [...kept.flatMap(nearest), ...more];
}

function innerBreaches(at: string, kept: unknown, now: unknown, read: boolean): string[] {
  if (typeof kept !== 'object' || typeof now !== 'object') {
    return kept === now ? [] : [`${at}: was ${shown(kept)} and is ${shown(now)}`];
  }
  return schemaBreaches(at, kept as SchemaPart, now as SchemaPart, read);
}

function fieldsOf(schema: SchemaPart): Fields {
  return (schema['properties'] ?? {}) as Fields;
}

function requiredOf(schema: SchemaPart): readonly string[] {
  return (schema['required'] ?? []) as readonly string[];
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
