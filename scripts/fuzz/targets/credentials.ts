import { parsePasswordFile } from '../../../formats/htpasswd/password-file.ts';
import { matchesShaCrypt } from '../../../formats/htpasswd/sha-crypt.ts';
import { parseExecCredential } from '../../../lib/parts/clusters/kubernetes/server/client/exec-plugin.ts';
import { impersonationOf } from '../../../lib/parts/clusters/kubernetes/server/client/impersonation.ts';
import { parseKubeconfig } from '../../../lib/parts/clusters/kubernetes/server/client/kubeconfig.ts';
import { checkMaterial, expiryOf } from '../../../lib/parts/clusters/kubernetes/server/client/tls-material.ts';
import { basic, credentialsIn } from '../../../lib/parts/registries/credentials.ts';
import { parsers } from '../parser.ts';
import { must } from '../violation.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const pem = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';
const token = `a.${Buffer.from('{"exp":1}').toString('base64url')}.c`;

const kubeconfig = `apiVersion: v1
kind: Config
current-context: admin@site
clusters:
- name: site
  cluster: {server: "https://10.0.0.1:6443", tls-server-name: x}
contexts:
- name: admin@site
  context: {cluster: site, user: admin, namespace: default}
users:
- name: admin
  user:
    token: ${token}
    as: somebody
    as-groups: [a, b]
    as-user-extra: {x: [z]}
    exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [x], env: [{name: A, value: b}]}
`;
const printed = JSON.stringify({
  apiVersion: 'client.authentication.k8s.io/v1',
  kind: 'ExecCredential',
  status: { token, clientCertificateData: pem, clientKeyData: 'x', expirationTimestamp: '2026-01-01T00:00:00Z' },
});
const authfile = JSON.stringify({
  auths: {
    'https://index.docker.io/v1/': { auth: base64('user:password') },
    'example.com/team': { username: 'a', password: 'b' },
    'example.com': { identitytoken: 'c' },
  },
  credHelpers: { 'gcr.io': 'gcloud' },
  credsStore: 'desktop',
});
const htpasswd = `# users
alice:$6$rounds=1000$saltsalt$${'a'.repeat(86)}
bob:$5$salt$${'b'.repeat(43)}
`;

/** Files with passwords, tokens and keys of others. */
export const credentials = parsers(
  'credentials',
  100,
  '$6$¦$5$¦$2y$¦rounds=¦$¦current-context: ¦server: ¦https://¦socks5://¦proxy-url: ¦exec: ¦user: ¦"auths":' +
    `¦"auth":¦"identitytoken":¦OmE=¦\u0000¦-----BEGIN CERTIFICATE-----¦name: ¦- ¦as: ¦${base64(pem)}`,
  {
    htpasswd: { samples: [htpasswd], read: (bytes) => readPasswords(bytes.toString()) },
    kubeconfig: { samples: [kubeconfig], read: readKubeconfig },
    plugin: { samples: [printed], read: readPrinted },
    authfile: { samples: [authfile], read: readAuthfile },
  },
);

function readPasswords(text: string): void {
  const users = parsePasswordFile(text);
  must(users.size > 0, 'there is no user');
  // Hashing takes long: the file decides about the rounds.
  const [first] = users.values();
  if (first && first.rounds <= 1000 && text.length % 64 === 0) matchesShaCrypt('password', first);
}

function readKubeconfig(bytes: Buffer): void {
  const config = parseKubeconfig(bytes, '/etc/kubeconfig');
  impersonationOf(config);
  const { user, cluster } = config;
  expiryOf({}, user.token === undefined ? undefined : `Bearer ${user.token}`);
  const [ca, certificate, key] = [
    cluster['certificate-authority-data'],
    user['client-certificate-data'],
    user['client-key-data'],
  ].map((data) => (data === undefined ? undefined : Buffer.from(data, 'base64').toString()));
  try {
    checkMaterial({ ca, certificate, key }, config);
  } finally {
    expiryOf({ certificate }, undefined);
  }
}

function readPrinted(bytes: Buffer): void {
  const found = parseExecCredential(bytes);
  if (found) expiryOf({ certificate: found.certificate }, `Bearer ${found.token}`);
}

async function readAuthfile(bytes: Buffer): Promise<void> {
  const path = '/etc/auth.json';
  for (const [registry, repository] of [
    ['docker.io', 'library/nginx'],
    ['example.com', 'team/web'],
    ['gcr.io', 'x'],
  ] as const) {
    const found = await credentialsIn(bytes, path, registry, repository, async () => undefined);
    if (found) basic(found);
  }
}
