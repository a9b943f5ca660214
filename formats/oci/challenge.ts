import { FormatError } from '../error.ts';

/** One way to authenticate that a server offers (RFC 9110, 11.3). */
export interface Challenge {
  /** In lower case: `basic`, `bearer`, `negotiate`. */
  readonly scheme: string;
  /** Parameters by name in lower case, without quotes. Of equal names the first one counts. */
  readonly params: ReadonlyMap<string, string>;
  /** The single value that some schemes have instead of parameters. */
  readonly token68?: string;
}

const blank = /[ \t]*/y;
const separators = /[ \t,]*/y;
const schemeName = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const singleValue = /[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y;
const paramName = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*/y;
const quoted = /"([^"\\]*(?:\\.[^"\\]*)*)"/y;
// More than a token allows: some servers write URLs without quotes.
const unquoted = /[^\s",]+/y;

/**
 * Parses the value of `WWW-Authenticate`. Copes with several challenges in one field, with commas inside quotes, and
 * with fields that were joined by commas (RFC 9110, 11.6.1). Throws `FormatError` `challenge-invalid`.
 */
export function parseChallenges(value: string): Challenge[] {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(value);
    if (match) at = pattern.lastIndex;
    return match ?? undefined;
  };
  const ended = (): boolean => {
    take(blank);
    return at === value.length || value[at] === ',';
  };
  const bad = (why: string): FormatError =>
    new FormatError('challenge-invalid', `WWW-Authenticate: ${why} at character ${at}`, { offset: at });

  const readParams = (): Map<string, string> => {
    const params = new Map<string, string>();
    for (;;) {
      const name = take(paramName)?.[1]?.toLowerCase();
      if (name === undefined) return params;
      const text = take(quoted)?.[1]?.replace(/\\(.)/gs, '$1') ?? take(unquoted)?.[0];
      if (text === undefined) throw bad(`no value of ${name}`);
      if (!ended()) throw bad('a comma is missing');
      if (!params.has(name)) params.set(name, text);
      take(separators);
    }
  };

  const challenges: Challenge[] = [];
  for (take(separators); at < value.length; take(separators)) {
    const scheme = take(schemeName)?.[0]?.toLowerCase();
    if (scheme === undefined) throw bad('no scheme');
    const afterScheme = at;
    if (ended()) {
      challenges.push({ scheme, params: new Map() });
      continue;
    }
    if (at === afterScheme) throw bad('no space after the scheme');
    const token68 = take(singleValue)?.[0];
    if (token68 !== undefined) {
      challenges.push({ scheme, params: new Map(), token68 });
      continue;
    }
    const params = readParams();
    if (params.size === 0) throw bad('no parameter');
    challenges.push({ scheme, params });
  }
  return challenges;
}
