import { FormatError } from '../../../formats/error.ts';
import { z } from '../../../formats/schema.ts';
import { type ErrorCode, SolpackError } from '../../kernel/events/index.ts';
import { type Answer, networkTrouble, type Peer, redirectedTo } from '../../kernel/http/index.ts';
import { hintOf, storageHint, withoutTls } from './hints.ts';

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
    'put the certificate of the authority that signed the certificate of the registry below --certs-dir, as HOST:PORT/ca.crt',
};

/** What a request was, for the message about its failure. */
export interface Tried {
  readonly method: string;
  readonly url: URL;
  /** Where the registry itself answers; `url` may be a place that it sends to. */
  readonly origin: string;
  /** Whether it belongs to a push. */
  readonly direction: 'pull' | 'push';
  /** The algorithm of a digest that it names. */
  readonly algorithm?: string | undefined;
  /** How the repository, or whatever was talked to, is named. */
  readonly subject: string;
  /** Blanks secrets that a server may repeat. */
  readonly blank: (text: string) => string;
}

/**
 * Makes the error about an answer of no use: `registry-denied` for 401 and 403 of the registry, otherwise
 * `registry-error`. Reads the body.
 */
export async function answerFailure(answer: Answer, tried: Tried): Promise<SolpackError> {
  const { status, headers, url } = answer;
  const refusal = { status, headers, ...(await wordsOf(answer)) };
  const where = `${tried.method} ${url.origin}${url.pathname}`;
  const words = refusal.words === '' ? '' : ` (${refusal.words})`;
  const message = tried.blank(`${where} was answered with status ${status}${words}`);
  if (url.origin !== tried.origin) {
    const hint = storageHint(refusal, new URL(tried.origin).host, tried.direction);
    return new SolpackError('registry-error', tried.subject, message, { hint });
  }
  const code: ErrorCode = status === 401 || status === 403 ? 'registry-denied' : 'registry-error';
  return new SolpackError(code, tried.subject, message, { hint: hintOf(refusal, tried) });
}

/**
 * Makes `registry-unreachable` of a failure of the network, and `registry-error` of a redirect that is not followed;
 * returns errors that are the user's already as they are.
 */
export function registryNetworkFailure(error: unknown, tried: Tried): unknown {
  if (error instanceof SolpackError || error instanceof FormatError) return error;
  const elsewhere = redirectedTo(error);
  const url = elsewhere ?? tried.url;
  const trouble = networkTrouble(error, url, elsewhere ? { ...peer, name: 'store' } : peer);
  if (!trouble) return error;
  const { reason, hint, redirect } = trouble;
  if (redirect) return new SolpackError('registry-error', tried.subject, tried.blank(reason), { cause: error, hint });
  const message = `${tried.method} ${url.origin}${url.pathname} failed: ${reason}`;
  const sent = elsewhere ? `; ${new URL(tried.origin).host} sends readers there` : '';
  return new SolpackError('registry-unreachable', tried.subject, tried.blank(message), {
    cause: error,
    hint: `${hint}${sent}`,
  });
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
    return { words: withoutTls.exec(text)?.[0] ?? wordsOfStore(text), full };
  }
  const parts = (): (string | undefined)[] => {
    const several = list.safeParse(value);
    if (several.success) return [several.data.errors[0]?.code, several.data.errors[0]?.message];
    const one = single.safeParse(value);
    return one.success ? [one.data.error, one.data.error_description ?? one.data.details ?? one.data.message] : [];
  };
  return { words: shown(parts().filter(Boolean).join(': ')), full };
}

/** Returns what a store says by the XML of S3, Azure and Google. */
function wordsOfStore(text: string): string {
  const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? [];
  const [, message] = /<Message>([^<]{1,300})<\/Message>/.exec(text) ?? [];
  return code === undefined ? '' : shown([code, message].filter(Boolean).join(': '));
}

function shown(words: string): string {
  return words.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ').slice(0, WORDS);
}
