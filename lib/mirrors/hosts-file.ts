import { parse } from '@iarna/toml';
import { sha256 } from '../../formats/digest.ts';
import { trimmed, trimmedEnd } from '../../formats/trim.ts';

/** Where a `hosts.toml` sends containerd. */
export interface ContainerdEndpoint {
  /** As the file names it. */
  readonly url: string;
  /** Whether the URL already has the full path of the API, so that containerd must not append `/v2`. */
  readonly overridePath: boolean;
}

const CAPABILITIES = ['pull', 'resolve'] as const;
const MARKER = /^# Written by solpack \((sha256:[0-9a-f]{64})\)[^\n]*\n/;
const USERS = /^# For: ([a-z0-9, -]+)\n/;

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
 * Returns a `hosts.toml` with which containerd (1.5 and later) asks this endpoint and nobody else. `server` names the
 * endpoint a second time: containerd asks the server last, and without one it would be the image's own registry.
 * Without a `[host]` table, or with capabilities other than these and `push`, containerd 1.6 ignores the whole file.
 * `users` are the configurations that need the file.
 */
export function hostsFile(endpoint: ContainerdEndpoint, users: readonly string[]): string {
  return marked(plainHostsFile(endpoint), users);
}

/** Returns the settings of such a `hosts.toml`, for those who maintain the file themselves. */
export function plainHostsFile(endpoint: ContainerdEndpoint): string {
  const [first, ...more] = linesFor(endpoint);
  const settings = more.map((line) => `${line}\n`).join('');
  return `server = ${JSON.stringify(endpoint.url)}\n${settings}\n${first}\n${settings.replace(/^/gm, '  ').trimEnd()}\n`;
}

/** Returns the same `hosts.toml` for other configurations. */
export function withUsers(text: string, users: readonly string[]): string {
  return marked(text.replace(MARKER, '').replace(USERS, ''), users);
}

function marked(settings: string, users: readonly string[]): string {
  const body = `# For: ${[...new Set(users)].sort().join(', ')}\n${settings}`;
  return `# Written by solpack (${sha256(body)}), which replaces it as long as nobody edits it.\n${body}`;
}

/** Returns the lines that somebody has to add to their own `hosts.toml`. */
export function linesFor({ url, overridePath }: ContainerdEndpoint): string[] {
  const capabilities = `capabilities = [${CAPABILITIES.map((name) => `"${name}"`).join(', ')}]`;
  return [`[host.${JSON.stringify(url)}]`, capabilities, ...(overridePath ? ['override_path = true'] : [])];
}

/** Decides whether solpack wrote `text`, and nobody has edited it since: its first line has the digest of the rest. */
export function isOwnHostsFile(text: string): boolean {
  const [marker, digest] = MARKER.exec(text) ?? [];
  return marker !== undefined && digest === sha256(text.slice(marker.length));
}

/** Returns the configurations that need a `hosts.toml` of solpack. */
export function usersOf(text: string): string[] {
  return USERS.exec(text.replace(MARKER, ''))?.[1]?.split(', ') ?? [];
}

/**
 * Decides whether a `hosts.toml` of any author lets containerd pull from the endpoint; false for text that is no TOML.
 */
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
