import { parseToml } from '../../../formats/document/toml.ts';
import { trimmedEnd } from '../../../formats/trim.ts';

/** An endpoint that a `hosts.toml` names. */
export interface NamedEndpoint {
  readonly url: string;
  readonly overridePath: boolean;
  /** Whether containerd may find tags there, and pull. */
  readonly pulls: boolean;
  /** Files of authorities, as the file names them. */
  readonly ca: readonly string[];
  readonly authorization: string | undefined;
}

/**
 * Returns the endpoints of a `hosts.toml` of any author, in the order in which containerd asks them, each once;
 * undefined for text that is no TOML. Without a `[host]` table containerd 1.6 ignores the file, and so it names none.
 */
export function endpointsIn(text: string): NamedEndpoint[] | undefined {
  const root = parsed(text);
  if (root === undefined) return undefined;
  const { server } = root;
  const hosts = hostsIn(root).map(([url, settings]) => endpoint(url, settings));
  if (hosts.length === 0 || typeof server !== 'string') return hosts;
  const last = endpoint(server, root);
  return hosts.some(({ url }) => url === last.url) ? hosts : [...hosts, last];
}

/** Returns all that the headers in a `hosts.toml` say, the longest first; nothing for text that is no TOML. */
export function headersIn(text: string): string[] {
  const root = parsed(text) ?? {};
  const tables = [root, ...hostsIn(root).map(([, settings]) => settings)];
  const values = tables.flatMap(({ header }) => Object.values(isRecord(header) ? header : {}).flatMap(texts));
  return values.filter((value) => value !== '').sort((a, b) => b.length - a.length);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return parseToml(text, 'toml-invalid') as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function hostsIn({ host }: Record<string, unknown>): [string, Record<string, unknown>][] {
  return Object.entries(isRecord(host) ? host : {}).flatMap(([url, one]) => (isRecord(one) ? [[url, one]] : []));
}

function endpoint(url: string, settings: Record<string, unknown>): NamedEndpoint {
  const { capabilities, override_path: override = false, ca, header } = settings;
  const can = Array.isArray(capabilities) && capabilities.length > 0 ? capabilities : ['pull', 'resolve'];
  const [, authorization] =
    Object.entries(isRecord(header) ? header : {}).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return {
    url: trimmedEnd(url, '/'),
    overridePath: override === true,
    pulls: can.includes('pull') && can.includes('resolve'),
    ca: texts(ca),
    authorization: texts(authorization)[0],
  };
}

function texts(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
