import type { IncomingHttpHeaders } from 'node:http';
import { retryAfter } from '../../kernel/http/index.ts';

/** What is known of an answer of no use. */
export interface RefusedAnswer {
  readonly status: number;
  readonly headers: Pick<IncomingHttpHeaders, 'retry-after'>;
  /** What the server says, as it is shown. */
  readonly words: string;
  /** Whether it says that its disk is full. */
  readonly full: boolean;
}

/** What hints depend on beside the answer. */
export interface HintContext {
  readonly method: string;
  readonly direction: 'pull' | 'push';
  readonly algorithm?: string | undefined;
  /** Host and repository. */
  readonly subject: string;
}

/**
 * What a registry with TLS says to who speaks none, in plain text and with status 400: in the words of Go's library,
 * and of nginx.
 */
export const withoutTls =
  /Client sent an HTTP request to an HTTPS server|The plain HTTP request was sent to HTTPS port/;

/**
 * What Harbor says where its own rules refuse something (goharbor/harbor, `src/server/middleware`), and what to do
 * then.
 */
const wordHints: readonly (readonly [RegExp, string])[] = [
  [/\binvalid repository name\b/, 'put a project before the name, as Harbor has it: HOST/PROJECT/NAME'],
  [/\bproject \S+ not found\b/, 'create the project in Harbor first, or push below an existing one'],
  [
    /\bwill exceed the configured upper limit\b/,
    'raise the quota of the project in Harbor, or remove images that nobody needs',
  ],
  [/\bconfigured as immutable\b/, 'push under another tag, or change the rule of the project in Harbor'],
  [
    withoutTls,
    'the registry uses TLS: leave out --plain-http, and for a loopback address put the authority that signed its certificate below --certs-dir, as HOST:PORT/ca.crt',
  ],
];

const readOnly = 'the registry, or this repository, is read-only';
/** What to do after each status, for those that read and those that write. */
const statusHints: Readonly<Record<number, Readonly<Record<'pull' | 'push', string>>>> = {
  401: alike('log in to the registry, or check user and password'),
  403: {
    pull: 'ask for access to this repository, or log in as another user',
    push: 'ask for the right to push to this repository, or log in as a user who has it',
  },
  404: {
    pull: 'check the name, and that it was pushed there',
    push: 'check the name, and that the repository exists',
  },
  405: { pull: 'check the address: the server there may not be a registry', push: readOnly },
  413: alike('raise the limit of request bodies in the proxy in front of the registry'),
  415: alike(
    'the registry takes no content of this media type; zot takes Docker\'s with http.compat: ["docker2s2"] in its settings',
  ),
};

function alike(hint: string): Readonly<Record<'pull' | 'push', string>> {
  return { pull: hint, push: hint };
}

/** Statuses by which registries refuse a digest that they cannot make. */
const digestRefused = { pull: [400, 422, 501], push: [400, 404, 415, 422, 501] } as const;

function refusesDigest(status: number, direction: 'pull' | 'push'): boolean {
  const statuses: readonly number[] = digestRefused[direction];
  return statuses.includes(status);
}

/** The code of the distribution-spec for a repository that is not there. */
const noRepository = /\bNAME_UNKNOWN\b/;

/** Returns what to do about an answer of a registry. */
export function hintOf({ status, headers, words, full }: RefusedAnswer, asked: HintContext): string {
  const { direction, algorithm, subject } = asked;
  const known = wordHints.find(([pattern]) => pattern.test(words))?.[1];
  if (known !== undefined) return known;
  if (direction === 'push' && noRepository.test(words)) return missingRepositories([subject]);
  if (algorithm === 'sha512' && refusesDigest(status, direction)) {
    return 'many registries only support sha256, but this content has a sha512 digest: use a registry that supports sha512, or build the image with sha256 digests';
  }
  const wait = waitAsked(headers['retry-after']);
  if (wait !== undefined) return `${wait}, then run the command again`;
  if (status === 429) return 'wait, or log in: registries allow more requests of known users';
  // RFC 4918, 11.5: 507 is said for a full disk, in whatever words.
  if (full || status === 507) return 'the disk of the registry is full: make room there';
  const usual = statusHints[status]?.[direction];
  if (usual !== undefined) return usual;
  return status >= 500 ? 'the registry fails; try again later, and look into its log' : 'read the log of the registry';
}

/** Returns what to do where a place refuses to which the registry `host` sends. */
export function storageHint({ status, words }: RefusedAnswer, host: string, direction: 'pull' | 'push'): string {
  const readers = direction === 'pull' ? 'readers' : 'content';
  const place = `${host} sends ${readers} to that store`;
  if (status >= 500 || status === 429) return `${place}, which fails: try again later, and read the log of the store`;
  if (status === 404) return `${place}, which does not have it: the store of the registry has lost content`;
  const clock = /RequestTimeTooSkewed|expired/i.test(words)
    ? 'the clock of the registry'
    : 'the key that the registry has for it, and its clock';
  return `${place}, which rejects the link that the registry signed: check ${clock}; your own login does not matter there`;
}

/** Tells to make repositories that a registry does not make by itself. */
export function missingRepositories(names: readonly string[]): string {
  const [first, ...others] = names;
  return others.length === 0
    ? `create this repository in the registry first, because it creates none by itself: ${first}`
    : `create these ${names.length} repositories in the registry first, because it creates none by itself: ${names.join(', ')}`;
}

/** Returns whether the message of a failure says that a registry has no such repository. */
export function lacksRepository({ message }: Error): boolean {
  return noRepository.test(message);
}

/** Says in words how long a server asks to wait; undefined where it does not. */
function waitAsked(value: string | undefined): string | undefined {
  const wait = retryAfter(value, Date.now());
  if (wait === undefined || wait === 0) return undefined;
  const seconds = Math.ceil(wait / 1000);
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  // Two of a unit tell more than one and a half of the next: 90 minutes are no 2 hours.
  const [unit, size] = units.find(([, each]) => seconds >= 2 * each) ?? ['second', 1];
  const count = Math.ceil(seconds / size);
  return `wait for ${count} ${unit}${count === 1 ? '' : 's'}, as the registry asks`;
}
