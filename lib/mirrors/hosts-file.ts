import { parse } from '@iarna/toml';
import { sha256 } from '../../formats/digest.ts';
import { trimmed, trimmedEnd } from '../../formats/trim.ts';

/** Where a `hosts.toml` sends containerd. */
export interface ContainerdEndpoint {
  /** As the file names it. */
  readonly url: string;
  /** Whether the path of the URL is the whole way to the API, and `/v2` is not put behind it. */
  readonly overridePath: boolean;
}

const CAPABILITIES = ['pull', 'resolve'] as const;
const MARKER = /^# Written by solpack \((sha256:[0-9a-f]{64})\)[^\n]*\n/;
const USERS = /^# For: ([a-z0-9, -]+)\n/;

/** The endpoint for the registry at `url`: a path is put before the repositories, behind the `/v2` of the API. */
export function endpointOf(url: string): ContainerdEndpoint {
  const { origin, pathname } = new URL(url);
  const prefix = trimmed(pathname, '/');
  return prefix === '' ? { url: origin, overridePath: false } : { url: `${origin}/v2/${prefix}`, overridePath: true };
}

/**
 * A `hosts.toml` after which containerd (1.5 and later) asks this endpoint, and nobody else. `server` names it once
 * more, because containerd asks a server last of all, and takes the image's own registry where none is named. Without
 * a `[host]` table containerd 1.6 drops the whole file, and so it does for any other capability than these and `push`.
 * `users` are the configurations that need it.
 */
export function hostsFile(endpoint: ContainerdEndpoint, users: readonly string[]): string {
  return marked(plainHostsFile(endpoint), users);
}

/** The settings of such a `hosts.toml`, for whoever keeps the file themselves. */
export function plainHostsFile(endpoint: ContainerdEndpoint): string {
  const [first, ...more] = linesFor(endpoint);
  const settings = more.map((line) => `${line}\n`).join('');
  return `server = ${JSON.stringify(endpoint.url)}\n${settings}\n${first}\n${settings.replace(/^/gm, '  ').trimEnd()}\n`;
}

/** The same `hosts.toml` for other configurations. */
export function withUsers(text: string, users: readonly string[]): string {
  return marked(text.replace(MARKER, '').replace(USERS, ''), users);
}

function marked(settings: string, users: readonly string[]): string {
  const body = `# For: ${[...new Set(users)].sort().join(', ')}\n${settings}`;
  return `# Written by solpack (${sha256(body)}), which replaces it as long as nobody edits it.\n${body}`;
}

/** What somebody has to add to a `hosts.toml` of their own, line by line. */
export function linesFor({ url, overridePath }: ContainerdEndpoint): string[] {
  const capabilities = `capabilities = [${CAPABILITIES.map((name) => `"${name}"`).join(', ')}]`;
  return [`[host.${JSON.stringify(url)}]`, capabilities, ...(overridePath ? ['override_path = true'] : [])];
}

/** Whether solpack wrote `text`, and nobody has edited it since: its first line has the digest of the rest. */
export function isOwnHostsFile(text: string): boolean {
  const [marker, digest] = MARKER.exec(text) ?? [];
  return marker !== undefined && digest === sha256(text.slice(marker.length));
}

/** The configurations that need a `hosts.toml` that solpack wrote. */
export function usersOf(text: string): string[] {
  return USERS.exec(text.replace(MARKER, ''))?.[1]?.split(', ') ?? [];
}

/** Whether a `hosts.toml`, whoever wrote it, lets containerd pull from the endpoint. What is no TOML does not. */
export function leadsTo(text: string, { url, overridePath }: ContainerdEndpoint): boolean {
  let hosts: unknown;
  try {
    hosts = parse(text)['host'];
  } catch {
    return false;
  }
  return Object.entries(isRecord(hosts) ? hosts : {}).some(([key, host]) => {
    if (!isRecord(host) || trimmedEnd(key, '/') !== url) return false;
    const { capabilities, override_path: override = false } = host;
    const can = Array.isArray(capabilities) && capabilities.length > 0 ? capabilities : CAPABILITIES;
    return override === overridePath && CAPABILITIES.every((name) => can.includes(name));
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
