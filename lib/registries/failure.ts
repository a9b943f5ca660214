import { FormatError } from '../../formats/error.ts';
import { z } from '../../formats/schema.ts';
import { type ErrorCode, SolpackError } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import { networkTrouble, type Peer } from '../http/network-trouble.ts';

/** How much of an error's body is read, in bytes. */
const LIMIT = 64 * 1024;
/** How many characters of a server's own words are shown. */
const WORDS = 300;

const list = z.looseObject({
  errors: z.array(z.looseObject({ code: z.string().optional(), message: z.string().optional() })).min(1),
});
/** What token servers answer (RFC 6749, 5.2), and some proxies. */
const single = z.looseObject({
  error: z.string().optional(),
  error_description: z.string().optional(),
  details: z.string().optional(),
  message: z.string().optional(),
});

const peer: Peer = {
  name: 'registry',
  untrusted:
    'put the certificate of the authority that signed the one of the registry below --certs-dir, as HOST:PORT/ca.crt',
};

const statusHints: Record<number, string> = {
  401: 'log in to the registry, or check user and password',
  403: 'ask for access to this repository, or log in as another user',
  404: 'check the name, and that it was pushed there',
  405: 'the registry, or this repository of it, can only be read',
  413: 'raise the limit of request bodies in the proxy before the registry',
  415: 'the registry takes no content of this media type; zot takes Docker\'s with http.compat: ["docker2s2"] in its settings',
  429: 'wait, or log in: registries let known users do more',
};

/** What a registry with TLS says to who speaks none, in plain text and with status 400: in the words of Go's library, and of nginx. */
const WITHOUT_TLS = /Client sent an HTTP request to an HTTPS server|The plain HTTP request was sent to HTTPS port/;

/** What Harbor says where its own rules refuse something (goharbor/harbor, `src/server/middleware`), and what to do then. */
const wordHints: readonly (readonly [RegExp, string])[] = [
  [/\binvalid repository name\b/, 'put a project before the name, as Harbor has it: HOST/PROJECT/NAME'],
  [/\bproject \S+ not found\b/, 'make the project in Harbor first, or push below one that is there'],
  [
    /\bwill exceed the configured upper limit\b/,
    'raise the quota of the project in Harbor, or remove what nobody needs',
  ],
  [/\bconfigured as immutable\b/, 'push under another tag, or change the rule of the project in Harbor'],
  [
    WITHOUT_TLS,
    'the registry speaks TLS: leave out --plain-http, and for a loopback address put the authority that signed its certificate below --certs-dir, as HOST:PORT/ca.crt',
  ],
];

/** What a request was, for the message about its failure. */
export interface Tried {
  readonly method: string;
  readonly url: URL;
  /** How the repository, or whatever was talked to, is named. */
  readonly subject: string;
  /** Blanks secrets that a server may repeat. */
  readonly blank: (text: string) => string;
}

/**
 * Makes the error about an answer of no use: `registry-denied` for 401 and 403, else `registry-error`. Reads the body.
 */
export async function answerFailure(answer: Answer, tried: Tried): Promise<SolpackError> {
  const { status } = answer;
  const code: ErrorCode = status === 401 || status === 403 ? 'registry-denied' : 'registry-error';
  const { words, full } = await wordsOf(answer);
  const where = `${tried.method} ${answer.url.origin}${answer.url.pathname}`;
  const message = `${where} was answered with status ${status}${words === '' ? '' : ` (${words})`}`;
  // RFC 4918, 11.5: 507 is said for a full disk, in whatever words.
  const server =
    full || status === 507
      ? 'the disk of the registry is full: make room there'
      : 'the registry fails; try again later, and look into its log';
  const known = wordHints.find(([pattern]) => pattern.test(words))?.[1];
  const hint = known ?? statusHints[status] ?? (status >= 500 ? server : 'look into the log of the registry');
  return new SolpackError(code, tried.subject, tried.blank(message), { hint });
}

/**
 * Makes `registry-unreachable` of a failure of the network, and `registry-error` of a redirect that is not followed;
 * returns errors that are the user's already as they are.
 */
export function registryNetworkFailure(error: unknown, tried: Tried): unknown {
  if (error instanceof SolpackError || error instanceof FormatError) return error;
  const trouble = networkTrouble(error, tried.url, peer);
  if (!trouble) return error;
  const { reason, hint, redirect } = trouble;
  if (redirect) return new SolpackError('registry-error', tried.subject, tried.blank(reason), { cause: error, hint });
  const message = `${tried.method} ${tried.url.origin}${tried.url.pathname} failed: ${reason}`;
  return new SolpackError('registry-unreachable', tried.subject, tried.blank(message), { cause: error, hint });
}

/**
 * Returns what a server says of its failure, and whether that is a full disk, which docker-registry tells by its
 * number alone.
 */
async function wordsOf(answer: Answer): Promise<{ words: string; full: boolean }> {
  let value: unknown;
  let text = '';
  let full = false;
  try {
    text = new TextDecoder().decode(await answer.gather(LIMIT));
    full = /no space left on device|disk quota exceeded|"Err":(?:28|122)\b/.test(text);
    value = JSON.parse(text);
  } catch {
    return { words: WITHOUT_TLS.exec(text)?.[0] ?? '', full };
  }
  const parts = (): (string | undefined)[] => {
    const several = list.safeParse(value);
    if (several.success) return [several.data.errors[0]?.code, several.data.errors[0]?.message];
    const one = single.safeParse(value);
    return one.success ? [one.data.error, one.data.error_description ?? one.data.details ?? one.data.message] : [];
  };
  const words = parts().filter(Boolean).join(': ');
  const shown = words
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .slice(0, WORDS);
  return { words: shown, full };
}
