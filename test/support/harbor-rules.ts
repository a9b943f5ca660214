import type { IncomingMessage } from 'node:http';

/** A project of Harbor. */
interface Project {
  /** Bytes of blobs that it may have; undefined for any. */
  readonly quota: number | undefined;
  /** Tags that keep their first manifest. */
  readonly immutable: boolean;
  used: number;
}

/** What somebody may do: `*` is every project. */
export interface Account {
  readonly secret: string;
  readonly project: string;
  readonly push: boolean;
}

/** What Harbor has in its database. */
export interface State {
  readonly projects: Map<string, Project>;
  readonly accounts: Map<string, Account>;
  readonly tokens: Map<string, Account>;
  /** The digest of each tag, by `repository:tag`. */
  readonly tags: Map<string, string>;
  /** Descriptors of what refers to a manifest, by `repository@digest`. */
  readonly referrers: Map<string, object[]>;
}

/** How a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Tells why Harbor refuses a request for content before its Distribution hears of it; undefined where it does not. */
export function refusalOf(
  { tokens, projects, tags }: State,
  { url, method, headers }: IncomingMessage,
): Refusal | undefined {
  const { pathname } = new URL(url!, 'http://harbor');
  const [, repository, kind, reference] = /^\/v2\/(.+?)\/(manifests|blobs|tags|referrers)\/(.*)$/.exec(pathname) ?? [];
  const writes = method !== 'GET' && method !== 'HEAD';
  const who = tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
  const unauthorized = (message: string, challenge: string): Refusal => ({
    status: 401,
    body: error('UNAUTHORIZED', message),
    headers: { 'www-authenticate': challenge },
  });
  const scope = repository === undefined ? '' : `,scope="repository:${repository}:pull${writes ? ',push' : ''}"`;
  const bearer = `Bearer realm="http://${headers.host}/service/token",service="harbor-registry"${scope}`;
  if (repository !== undefined && !repository.includes('/')) {
    return { status: 400, body: error('BAD_REQUEST', `invalid repository name: ${repository}`) };
  }
  if (headers.authorization === undefined) return unauthorized('unauthorized', bearer);
  if (repository === undefined) return who ? undefined : unauthorized('unauthorized', 'Basic realm="harbor"');
  const name = repository.split('/')[0]!;
  const project = projects.get(name);
  if (project === undefined) return unauthorized(`project ${name} not found`, '');
  const may = who && (who.project === '*' || who.project === name) && (who.push || !writes);
  if (!may) {
    const action = writes ? 'push' : 'pull';
    return unauthorized(`unauthorized to access repository: ${repository}, action: ${action}`, 'Basic realm="harbor"');
  }
  if (kind === 'manifests' && method === 'PUT' && project.immutable && tags.has(`${repository}:${reference}`)) {
    const [, own] = repository.split(/\/(.*)/s);
    const message = `Failed to process request due to '${own}:${reference}' configured as immutable.`;
    return { status: 412, body: error('PRECONDITION', message) };
  }
  const length = Number(headers['content-length'] ?? 0);
  const closes = kind === 'blobs' && method === 'PUT';
  if (!closes || project.quota === undefined || project.used + length <= project.quota) {
    if (closes) project.used += length;
    return undefined;
  }
  const message = `adding ${length} B of storage resource, which when updated to current usage of ${project.used} B will exceed the configured upper limit of ${project.quota} B.`;
  return { status: 403, body: error('DENIED', message) };
}

/** The body of an error, as Harbor writes it. */
export function error(code: string, message: string): object {
  return { errors: [{ code, message }] };
}
