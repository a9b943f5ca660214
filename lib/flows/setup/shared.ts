import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { sha512Crypt } from '../../../formats/htpasswd/sha-crypt.ts';
import { ownCertificate } from '../../../formats/keys/certificate.ts';
import { shellWord } from '../../../formats/shell-word.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { SetupAction } from './action.ts';
import { readText } from './record.ts';

/** The user as whom nodes pull from a `serve` that asks for a password. */
export const NODE_USER = 'node';

/** Where a machine keeps what its `serve` needs, and what every node of the cluster needs to pull from it. */
export interface SharedFiles {
  /** The certificate of `serve` and its key, in one file. */
  readonly server: string;
  readonly users: string;
  /** The folder that is copied to the other nodes, and in it the authority, the password and the list of servers. */
  readonly nodes: string;
  readonly authority: string;
  readonly password: string;
  readonly servers: string;
}

/** What a `serve` for several nodes is known by. */
export interface SharedSecrets {
  readonly server: string;
  readonly password: string;
  /** The addresses of servers that were set up before, one a line, as copied from one of these; empty for the first. */
  readonly servers: string;
}

const DAY = 24 * 60 * 60;

/** Returns the paths of what is shared, beside a profile in `folder`. */
export function sharedFiles(folder: string): SharedFiles {
  const nodes = join(folder, 'nodes');
  return {
    server: join(folder, 'serve/server.pem'),
    users: join(folder, 'serve/users'),
    nodes,
    authority: join(nodes, 'ca.pem'),
    password: join(nodes, 'password'),
    servers: join(nodes, 'servers'),
  };
}

/**
 * Reads what is there of an earlier setup, or was copied from another server, and makes the rest: a certificate for
 * `addresses`, of all nodes, so that any of them may serve as well, and a password. `own` is the address of this
 * machine, `now` in seconds since 1970. Throws `tls-invalid` for a certificate that is not for it, `file-unreadable`.
 */
export async function sharedSecrets(
  folder: string,
  own: string,
  addresses: readonly string[],
  now: number,
): Promise<SharedSecrets> {
  const files = sharedFiles(folder);
  const server = (await readText(files.server)) ?? madeServer([...new Set([own, ...addresses])], now);
  requireFor(server, own, files.server);
  const password = ((await readText(files.password)) ?? randomBytes(24).toString('base64url')).trim();
  return { server, password, servers: (await readText(files.servers)) ?? '' };
}

function madeServer(addresses: readonly string[], now: number): string {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = ownCertificate({
    key,
    serial: randomBytes(16),
    name: 'solpack serve',
    addresses: addresses.map(addressBytes),
    // The clocks of nodes without a network differ.
    from: now - 30 * DAY,
    until: now + 3650 * DAY,
  });
  return `${certificate}${key.export({ format: 'pem', type: 'pkcs8' })}`;
}

function requireFor(pem: string, own: string, path: string): void {
  const fails = (why: string): SolpackError =>
    new SolpackError('tls-invalid', path, why, {
      hint: 'put the certificate and its key there, in PEM, or remove the file',
    });
  try {
    createPrivateKey(pem);
    if (new X509Certificate(pem).checkIP(own) !== undefined) return;
  } catch (cause) {
    throw fails(`holds no certificate with its key: ${cause instanceof Error ? cause.message : cause}`);
  }
  throw fails(`holds a certificate that is not for ${own}, the address of this node`);
}

/** The bytes of an address, in the order of the network. */
function addressBytes(address: string): Uint8Array {
  if (!isIPv6(address)) return Uint8Array.from(address.split('.').map(Number));
  // URLs have the shortest form, without a part of IPv4.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): number[] =>
    text ? text.split(':').map((group) => Number.parseInt(group, 16)) : [];
  const [first, last] = [groups(head), groups(tail)];
  const all =
    tail === undefined
      ? first
      : [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/**
 * What has a `serve` of this machine answer the nodes of its cluster alone, and lets installs here and other nodes ask
 * it.
 */
export function sharedActions(
  profile: string,
  folder: string,
  address: string,
  { server, password, servers }: SharedSecrets,
): SetupAction[] {
  const files = sharedFiles(folder);
  const { host } = new URL(address);
  const [certificate = ''] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/.exec(server) ?? [];
  // A password of such length needs no secret salt, and is hashed the same each time.
  const users = `${NODE_USER}:${sha512Crypt(password, 'solpack')}\n`;
  const auth = Buffer.from(`${NODE_USER}:${password}`).toString('base64');
  const certificates = join(folder, 'certs.d');
  const secret = { begin: true, mode: 0o600 } as const;
  const [login, authority] = [join(folder, 'auth.json'), join(certificates, host, 'ca.crt')];
  return [
    { kind: 'folder', path: join(folder, 'serve') },
    { kind: 'folder', path: files.nodes },
    { kind: 'file', path: files.server, text: server, what: 'certificate of serve, with its key', ...secret },
    { kind: 'file', path: files.password, text: `${password}\n`, what: 'password of the nodes', ...secret },
    { kind: 'file', path: files.users, text: users, what: 'who may pull', ...secret },
    { kind: 'file', path: files.authority, text: certificate, what: 'authority for the nodes' },
    { kind: 'file', path: files.servers, text: servers || `${address}\n`, what: 'servers for the nodes', begin: true },
    { kind: 'folder', path: join(certificates, host) },
    { kind: 'file', path: authority, text: certificate, what: 'authority for installs here' },
    {
      kind: 'file',
      path: login,
      text: `${JSON.stringify({ auths: { [host]: { auth } } }, undefined, 2)}\n`,
      what: 'password for installs here',
      mode: 0o600,
    },
    { kind: 'setting', path: profile, key: 'registry.authfile', written: JSON.stringify(login) },
    { kind: 'setting', path: profile, key: 'registry.certs-dir', written: JSON.stringify(certificates) },
  ];
}

/**
 * The words that make another node pull from here, and from the servers that were set up before, once the folder of the
 * nodes was copied there.
 */
export function joinWords(folder: string, address: string, hostsDir: string, servers: string = ''): string {
  const { authority, password } = sharedFiles(folder);
  const place = hostsDir === '/etc/containerd/certs.d' ? '' : ` --hosts-dir ${hostsDir}`;
  const all = new Set([...servers.split('\n').filter((one) => one.startsWith('https://')), address]);
  const served = [...all].map((one) => ` --served-at ${shellWord(one)}`).join('');
  return `solpack join-mirror${served} --ca-file ${authority} --username ${NODE_USER} --password-file ${password}${place}`;
}
