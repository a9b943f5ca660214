import { sha256 } from '../../../formats/digest.ts';
import { trimmed } from '../../../formats/trim.ts';
import { endpointsIn } from './endpoints-in.ts';

/** Where a `hosts.toml` sends containerd. */
export interface ContainerdEndpoint {
  /** As the file names it. */
  readonly url: string;
  /** Whether the URL already has the full path of the API, so that containerd must not append `/v2`. */
  readonly overridePath: boolean;
  /**
   * The file of the authorities to trust beside the system's: absolute, or relative to the folder of the `hosts.toml`.
   */
  readonly ca?: string;
  /** What is sent as `Authorization`. */
  readonly authorization?: string;
}

/** What containerd does with a mirror. */
export const CAPABILITIES = ['pull', 'resolve'] as const;

/**
 * The user of a `hosts.toml` that `joinMirrors` wrote. No configuration can be called so: its name is an RFC 1123
 * label.
 */
export const JOINED = 'join_mirror';

const MARKER = /^# Written by solpack \((sha256:[0-9a-f]{64})\)[^\n]*\n/;
const USERS = /^# For: ([a-z0-9_, -]+)\n/;

/**
 * Returns the endpoint for the registry at `url`. A path in the URL precedes the repositories' names, after the `/v2`
 * of the API.
 */
export function endpointOf(url: string): ContainerdEndpoint {
  const { origin, pathname } = new URL(url);
  const prefix = trimmed(pathname, '/');
  return prefix === '' ? { url: origin, overridePath: false } : { url: `${origin}/v2/${prefix}`, overridePath: true };
}

/**
 * Returns a `hosts.toml` with which containerd (1.5 and later) asks these endpoints, in their order, and nobody else.
 * The last one is the `server`: containerd asks the server last, and without one it would be the image's own registry.
 * Without a `[host]` table, or with capabilities other than these and `push`, containerd 1.6 ignores the whole file: so
 * a single endpoint stands there twice. `users` are the configurations that need the file, and `JOINED`.
 */
export function hostsFile(endpoints: readonly ContainerdEndpoint[], users: readonly string[]): string {
  return marked(plainHostsFile(endpoints), users);
}

/** Returns the settings of such a `hosts.toml`, for those who maintain the file themselves. */
export function plainHostsFile(endpoints: readonly ContainerdEndpoint[]): string {
  const server = endpoints.at(-1)!;
  const hosts = endpoints.length === 1 ? endpoints : endpoints.slice(0, -1);
  const [, ...settings] = linesFor(server);
  const header = server.authorization === undefined ? [] : ['', '[header]', ...headerOf(server)];
  const lines = [`server = ${quoted(server.url)}`, ...settings, ...header, ...hosts.flatMap(hostTable)];
  return `${lines.join('\n')}\n`;
}

function hostTable(endpoint: ContainerdEndpoint): string[] {
  const [table, ...settings] = linesFor(endpoint);
  const header = endpoint.authorization === undefined ? [] : [headerTable(endpoint), ...headerOf(endpoint)];
  return ['', table!, ...settings.map((line) => `  ${line}`), ...header];
}

function headerTable({ url }: ContainerdEndpoint): string {
  return `[host.${quoted(url)}.header]`;
}

function headerOf({ authorization = '' }: ContainerdEndpoint): string[] {
  return [`  authorization = ${quoted(authorization)}`];
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Returns the same `hosts.toml` for other users. */
export function withUsers(text: string, users: readonly string[]): string {
  return marked(text.replace(MARKER, '').replace(USERS, ''), users);
}

function marked(settings: string, users: readonly string[]): string {
  const body = `# For: ${[...new Set(users)].sort().join(', ')}\n${settings}`;
  return `# Written by solpack (${sha256(body)}), which replaces it as long as nobody edits it.\n${body}`;
}

/** Returns the lines that somebody has to add to their own `hosts.toml`, but the password. */
export function linesFor({ url, overridePath, ca }: ContainerdEndpoint): string[] {
  const capabilities = `capabilities = [${CAPABILITIES.map((name) => `"${name}"`).join(', ')}]`;
  return [
    `[host.${quoted(url)}]`,
    capabilities,
    ...(overridePath ? ['override_path = true'] : []),
    ...(ca === undefined ? [] : [`ca = ${quoted(ca)}`]),
  ];
}

/** Decides whether solpack wrote `text`, and nobody has edited it since: its first line has the digest of the rest. */
export function isOwnHostsFile(text: string): boolean {
  const [marker, digest] = MARKER.exec(text) ?? [];
  return marker !== undefined && digest === sha256(text.slice(marker.length));
}

/** Decides whether solpack wrote `text`, whoever has edited it since. */
export function isMarkedHostsFile(text: string): boolean {
  return MARKER.test(text);
}

/** Returns the configurations that need a `hosts.toml` of solpack, and `JOINED` where `joinMirrors` wrote it. */
export function usersOf(text: string): string[] {
  return USERS.exec(text.replace(MARKER, ''))?.[1]?.split(', ') ?? [];
}

/**
 * Decides whether a `hosts.toml` of any author lets containerd pull from the endpoint; false for text that is no TOML.
 */
export function leadsTo(text: string, { url, overridePath }: ContainerdEndpoint): boolean {
  return (endpointsIn(text) ?? []).some((one) => one.url === url && one.pulls && one.overridePath === overridePath);
}
