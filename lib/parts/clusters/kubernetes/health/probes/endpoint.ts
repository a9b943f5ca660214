import { askedEndpoint, type Endpoint, type ReadyProbe } from '../../../../../../formats/solution/ready-probe.ts';
import { ApiError, type ApplySession, orRefusal } from '../../server/index.ts';
import { type Readiness, ready, waiting } from '../readiness/index.ts';

/** How API servers introduce why the other side of their proxy could not be asked. */
const UNREACHED = 'error trying to reach service: ';

/**
 * What an API server says of a connection that was accepted, and on which something else than HTTP came, or nothing: so
 * servers of other protocols answer a request that they do not understand.
 */
const accepted: readonly RegExp[] = [
  /^(?:[A-Za-z]+ "[^"]*": )?(?:unexpected )?EOF$/,
  /malformed HTTP /,
  /^read tcp .*: connection reset by peer$/,
  /^net\/http: HTTP\/1\.x transport connection broken: /,
  /^http: server closed /,
];

/** Asks an endpoint through the API server, which sends it to one of the addresses that are ready. */
export async function askEndpoint(
  probe: ReadyProbe,
  { api, flow: { signal } }: ApplySession,
): Promise<Readiness & { readonly refusal?: ApiError }> {
  const endpoint = askedEndpoint(probe)!;
  const { scheme, service: name, port, path } = endpoint;
  const by = scheme === 'https' ? 'https' : 'http';
  const asked = { scheme: by, namespace: probe.namespace ?? 'default', name, port, path } as const;
  const failure = await orRefusal(() => api.askService(asked, signal), signal);
  if (!(failure instanceof ApiError)) return ready('answers');
  // Only the API server itself gives a reason with this: it did not let anybody ask.
  if (failure.status === 403 && failure.reason === 'Forbidden' && /services\/proxy/.test(failure.message)) {
    return { ...waiting(`cannot be asked: ${failure.message}`), refusal: failure };
  }
  return judgeAnswer(endpoint, failure);
}

/** Judges what came back instead of a success: an answer of the Service, or why the API server has none. */
function judgeAnswer({ scheme, service, port }: Endpoint, { status, reason, message }: ApiError): Readiness {
  const where = `${service}:${port}`;
  if (status === 0) return waiting(`${where} does not answer: ${message}`);
  const why = message.startsWith(UNREACHED) ? message.slice(UNREACHED.length) : undefined;
  const isOfServer = reason !== '';
  if (scheme === 'tcp') {
    if (!isOfServer || (why !== undefined && accepted.some((words) => words.test(why)))) return ready('is connected');
    return waiting(`${where} accepts no connection: ${why ?? message}`);
  }
  if (!isOfServer && status >= 300 && status <= 399) return ready('answers');
  if (isOfServer) return waiting(`${where} is not reached: ${why ?? message}`);
  return waiting(`${where} answers with status ${status}`);
}
