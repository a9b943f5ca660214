import { z } from '../../../../../../formats/schema.ts';
import { trimmedEnd } from '../../../../../../formats/trim.ts';
import { readFile } from '../../../../../kernel/files/index.ts';
import {
  basicAuthorization,
  createTransport,
  type HostTls,
  memoryBody,
  type Request,
  type Transport,
  usualTiming,
} from '../../../../../kernel/http/index.ts';

/** What a kubeconfig says of a provider of identities (Kubernetes, "OpenID Connect Tokens"). */
type Config = Readonly<Record<string, string>>;

/** The largest answer of a provider that is read, in bytes. */
const LIMIT = 1024 * 1024;

const claims = z.looseObject({ exp: z.number() });
const provider = z.looseObject({ issuer: z.string(), token_endpoint: z.string() });
const grant = z.looseObject({ id_token: z.string().min(1), refresh_token: z.string().optional() });
const refusal = z.looseObject({ error: z.string() });

/** What a token is renewed with. */
interface Renewal {
  readonly issuer: string;
  readonly client: string;
  readonly secret: string | undefined;
  readonly refresh: string;
}

/**
 * Makes a function that gives the identity token of a kubeconfig, and a new one of its issuer once that has expired, as
 * long as the kubeconfig has what the issuer wants to see. The kubeconfig stays as it is. The function throws an
 * `Error` whose message has no token in it; a `SyntaxError` where the token is none.
 */
export function oidcToken(config: Config, signal: AbortSignal): () => Promise<string | undefined> {
  const { 'client-id': client, 'client-secret': secret, 'idp-issuer-url': issuer } = config;
  let { 'id-token': token, 'refresh-token': refresh } = config;
  return async () => {
    if (!token || Date.now() < expiryOfToken(token) || !client || !refresh || !issuer) return token || undefined;
    const transport = createTransport(usualTiming, { tls: async () => trustOf(config) });
    try {
      const renewed = await renew(transport, { issuer, client, secret, refresh }, signal);
      token = renewed.id_token;
      refresh = renewed.refresh_token ?? refresh;
      return token;
    } finally {
      transport.close();
    }
  };
}

/** Reads until when a token is good (RFC 7519, 4.1.4), in milliseconds since 1970. Throws `SyntaxError`. */
function expiryOfToken(token: string): number {
  const [header, payload, ...rest] = token.split('.');
  if (rest.length !== 1) return 0;
  const [, said] = [header!, payload!].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  return (claims.safeParse(said).data?.exp ?? Number.POSITIVE_INFINITY) * 1000;
}

/** Asks the issuer for a new token (OpenID Connect Core 1.0, 12; RFC 6749, 6). */
async function renew(
  transport: Transport,
  { issuer, client, secret, refresh }: Renewal,
  signal: AbortSignal,
): Promise<z.infer<typeof grant>> {
  const base = secureUrl(issuer);
  // OpenID Connect Discovery 1.0, 4.
  const document = new URL(`${trimmedEnd(base.href, '/')}/.well-known/openid-configuration`);
  const about = await answered(transport, { method: 'GET', url: document, headers: {}, signal }, provider);
  if (trimmedEnd(about.issuer, '/') !== trimmedEnd(issuer, '/')) throw new Error(`${document} is about another issuer`);
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refresh, client_id: client });
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(secret
      ? { authorization: basicAuthorization(`${encodeURIComponent(client)}:${encodeURIComponent(secret)}`) }
      : {}),
  };
  const body = memoryBody(Buffer.from(form.toString()));
  return answered(transport, { method: 'POST', url: secureUrl(about.token_endpoint), headers, body, signal }, grant);
}

/** Sends a request once: some issuers revoke a refresh token that is used twice. */
async function answered<T>(transport: Transport, request: Request, schema: z.ZodType<T>): Promise<T> {
  const { origin, pathname } = request.url;
  const answer = await transport.send(request);
  const value = parsed(await answer.gather(LIMIT));
  if (answer.status !== 200) {
    const error = refusal.safeParse(value).data?.error;
    const words = error !== undefined && /^[\w.-]{1,80}$/.test(error) ? ` (${error})` : '';
    throw new Error(`${origin}${pathname} answered with status ${answer.status}${words}`);
  }
  const found = schema.safeParse(value);
  if (!found.success) throw new Error(`${origin}${pathname} answered without ${found.error.issues[0]?.path.join('.')}`);
  return found.data;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function secureUrl(value: string): URL {
  const url = URL.parse(value);
  if (url?.protocol !== 'https:') throw new Error('the address of its identity provider is no https:// URL');
  return url;
}

async function trustOf(config: Config): Promise<HostTls> {
  const { 'idp-certificate-authority-data': data, 'idp-certificate-authority': file } = config;
  if (data) return { onlyCa: Buffer.from(data, 'base64').toString() };
  return file ? { onlyCa: Buffer.from(await readFile(file)).toString() } : {};
}
