import { type ErrorCode, SolpackError } from '../../../../../kernel/events/index.ts';
import { ApiError } from '../api.ts';
import { behind } from '../one-line.ts';
import { describeNetworkFailure } from './network-failure.ts';
import { refusalHint } from './refusal-hint.ts';
import { isMisfit } from './status.ts';

/** Most fields of an object that an error lists. */
const MOST = 10;

/** How servers introduce what is wrong with an object. */
const preface =
  /^(?:failed to create typed patch object \(.*?\): (?:errors: )?|failed to convert new object .*: unable to convert .*?: )/;

/** The code and the text of an error. */
interface ErrorWords {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  /** The server, where the error is about it. */
  readonly subject?: string;
}

/**
 * Turns a refusal of a server into an error of the user's terms: `cluster-unreachable`, `cluster-unauthorized`,
 * `cluster-forbidden`, `object-refused`, `object-conflict`, `kind-unknown` or `cluster-error`. `server` is its URL.
 * Returns other errors unchanged.
 */
export function clusterError(error: unknown, server: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, message, hint, subject } = errorWordsOf(error, server);
  return new SolpackError(code, subject ?? error.subject, message, { hint, cause: error });
}

/** Decides whether an object was refused because of an immutable field, so that it would have to be made again. */
export function isImmutable(error: ApiError): boolean {
  if (error.status !== 422 || error.reason !== 'Invalid') return false;
  const words = /\bimmutable\b|(?:may not|cannot) (?:be changed|change)/i;
  return [error.message, ...error.causes.map(({ message }) => message ?? '')].some(
    (text) => words.test(text) || /^.+ (?:are|is) forbidden/i.test(behind(text.toLowerCase(), 'updates to ') ?? ''),
  );
}

function errorWordsOf(error: ApiError, server: string): ErrorWords {
  const { status, message } = error;
  if (status === 0) return unanswered(error, server);
  if (status === 401) {
    const hint = 'get a new kubeconfig for this cluster, or renew the credentials in it';
    return { code: 'cluster-unauthorized', message, hint, subject: server };
  }
  // Webhooks choose the status of their refusals themselves.
  if (/^admission webhook "[^"]*" denied the request/.test(message)) return refused(error, message);
  if (status === 403) return forbidden(error);
  if (status === 409) return conflict(error);
  if (status === 404) return missing(error);
  if (status === 422) return refused(error, fieldsOf(error));
  if (status === 400 || status === 413 || isMisfit(message)) {
    if (/HTTP request to an HTTPS server/.test(message)) {
      const hint = 'use https:// in the kubeconfig';
      return { code: 'cluster-unreachable', message: 'it only accepts TLS', hint, subject: server };
    }
    return refused(error, message.replace(preface, ''));
  }
  return failed(error, server);
}

function unanswered(error: ApiError, server: string): ErrorWords {
  if (error.reason === 'TooLarge') {
    return { code: 'cluster-error', message: error.message, hint: 'check why the object is so large' };
  }
  const { why, hint } = describeNetworkFailure(error.cause, server, new Date());
  return { code: 'cluster-unreachable', message: why, hint, subject: server };
}

/** Text of RBAC and the node authorizer (`User "x" cannot patch resource …`), or of an admission plugin. */
function forbidden(error: ApiError): ErrorWords {
  const { message } = error;
  const found = message.match(
    /User "([^"]*)" cannot (\S+) (?:resource "([^"]+)" in API group "([^"]*)" (at the cluster scope|in the namespace "[^"]*")|path "([^"]+)")/,
  );
  if (found) {
    const [, user, verb, resource, group, scope, path] = found;
    const what = path ?? `${resource}${group ? `.${group}` : ''} ${scope}`;
    const anonymous = user === 'system:anonymous';
    const hint = anonymous
      ? 'the server does not know these credentials: check the user of the kubeconfig'
      : `let an administrator allow it to ${user}, or use a kubeconfig of somebody with that right`;
    return { code: 'cluster-forbidden', message: `user "${user}" may not ${verb} ${what}`, hint };
  }
  const grants = behind(message, ' is attempting to grant RBAC permissions not currently held');
  if (grants !== undefined) {
    const hint = 'users can only grant rights that they have: use a kubeconfig of an administrator';
    const user = /[Uu]ser "([^"]*)"/.exec(message)?.[1] ?? '';
    const held = `user "${user}" may not grant permissions that it does not hold: ${grants.replace(/^:? ?/, '')}`;
    return { code: 'cluster-forbidden', message: held, hint };
  }
  if (error.reason === '') {
    const hint = 'check the proxy in front of the API server';
    return { code: 'cluster-forbidden', message: `${error.verb} is forbidden: ${message}`, hint };
  }
  return refused(error, message.replace(/^.*? is forbidden: /, ''));
}

function conflict(error: ApiError): ErrorWords {
  const owned = error.causes.filter(({ reason }) => reason === 'FieldManagerConflict');
  if (owned.length > 0) {
    const managers = [
      ...new Set(owned.map(({ message }) => message?.match(/conflict with "([^"]*)"/)?.[1] ?? 'another')),
    ];
    const fields = shortened(owned.map(({ field }) => field ?? ''));
    const words = managers.map((manager) => `"${manager}"`).join(', ');
    return {
      code: 'object-conflict',
      message: `fields belong to ${words}: ${fields}`,
      hint: '--force-conflicts takes them over; or remove them from the Solution',
    };
  }
  const code = error.reason === 'AlreadyExists' ? 'object-conflict' : 'cluster-error';
  return {
    code,
    message: `${error.verb}: ${error.message}`,
    hint: 'somebody else changed it at the same time: run the command again',
  };
}

function missing(error: ApiError): ErrorWords {
  const namespace = error.message.match(/^namespaces "([^"]+)" not found/)?.[1];
  if (namespace !== undefined && !error.subject.startsWith('Namespace ')) {
    const hint = 'add the Namespace to the Solution, or create it first';
    return { code: 'object-refused', message: `the namespace ${namespace} does not exist`, hint };
  }
  if (/could not find the requested resource/.test(error.message)) {
    const hint = 'first install the CustomResourceDefinition of its kind';
    return { code: 'kind-unknown', message: 'the API server does not serve its kind', hint };
  }
  const hint = 'check that the address is that of an API server';
  return { code: 'cluster-error', message: `${error.verb}: not found (${error.message})`, hint };
}

function refused(error: ApiError, message: string): ErrorWords {
  return { code: 'object-refused', message: `${error.verb} is refused: ${message}`, hint: refusalHint(error) };
}

/** Lists the wrong fields, or returns the whole message where it says more. */
function fieldsOf({ message, causes }: ApiError): string {
  const fields = causes.flatMap(({ field, message: why }) => (field ? [why ? `${field}: ${why}` : field] : []));
  return fields.length > 0 ? shortened(fields) : message.replace(/^.*? is forbidden: /, '');
}

function failed(error: ApiError, server: string): ErrorWords {
  const { status, verb, message } = error;
  const webhook = message.match(/failed calling webhook "([^"]+)"/)?.[1];
  const hints: Record<number, string> = {
    200: `check the address ${server}`,
    429: 'the API server is busy: try again later',
    503: 'the API server, or the one that it asks, is starting or overloaded: try again later',
  };
  if (/database space exceeded/.test(message)) {
    const hint = 'etcd is full: compact and defragment it, or raise its quota (--quota-backend-bytes); then try again';
    return { code: 'cluster-error', message: `${verb} failed: ${message}`, hint };
  }
  const hint = hints[status] ?? (status >= 500 ? 'read the log of the API server' : `check the address ${server}`);
  return {
    code: 'cluster-error',
    message: `${verb} failed: ${message}`,
    hint: webhook ? `the service of the webhook ${webhook} does not answer: check that its Pods run` : hint,
    ...(error.subject.startsWith('/') ? { subject: server } : {}),
  };
}

function shortened(list: readonly string[]): string {
  const rest = list.length - MOST;
  return list.slice(0, MOST).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}
