import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addresses, controlMachine, type Machine, type Paths } from './state.ts';

const run = promisify(execFile);

/** The subject of a certificate: the name `CN` and the groups `O` of a Kubernetes user. */
export interface Subject {
  readonly name: string;
  readonly groups?: readonly string[];
  /** Names and addresses of a server (RFC 5280 section 4.2.1.6, as in openssl(1)); absent for a client. */
  readonly hosts?: readonly string[];
}

/** Returns the path of the authority's certificate. */
export function authority({ pki }: Paths): string {
  return join(pki, 'ca.crt');
}

/** Makes the authority, the certificates of the programs, and the key for ServiceAccount tokens. */
export async function makeCertificates(paths: Paths, workers: readonly Machine[] = []): Promise<void> {
  const { pki } = paths;
  // Certificates get only what is stated here, whatever the machine's openssl.cnf adds.
  writeFileSync(join(pki, 'openssl.cnf'), '[req]\ndistinguished_name = dn\n[dn]\n');
  await request(pki, 'ca', '/CN=solpack test node', [
    ...extension('basicConstraints', 'critical,CA:TRUE'),
    ...extension('keyUsage', 'critical,keyCertSign,digitalSignature'),
  ]);
  await Promise.all([
    issue(paths, 'apiserver', {
      name: 'kube-apiserver',
      hosts: [
        'DNS:localhost',
        'DNS:kubernetes',
        'DNS:kubernetes.default',
        'DNS:kubernetes.default.svc',
        'DNS:kubernetes.default.svc.cluster.local',
        'IP:127.0.0.1',
        `IP:${controlMachine.address}`,
        `IP:${addresses.api}`,
      ],
    }),
    issue(paths, 'apiserver-kubelet-client', { name: 'kube-apiserver', groups: ['system:masters'] }),
    ...[controlMachine, ...workers].map(({ name, address }) =>
      issue(paths, `kubelet-${name}`, { name, hosts: [`DNS:${name}`, `IP:${address}`] }),
    ),
  ]);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(pki, 'service-accounts.key'), privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
}

/** Issues `pki/<file>.crt` and its key `pki/<file>.key`. */
export async function issue({ pki }: Paths, file: string, { name, groups = [], hosts }: Subject): Promise<void> {
  const names = [...groups.map((group) => `/O=${escaped(group)}`), `/CN=${escaped(name)}`].join('');
  await request(pki, file, names, [
    ...['-CA', 'ca.crt', '-CAkey', 'ca.key'],
    ...extension('basicConstraints', 'critical,CA:FALSE'),
    ...extension('keyUsage', 'critical,digitalSignature'),
    ...extension('extendedKeyUsage', hosts ? 'serverAuth' : 'clientAuth'),
    ...(hosts ? extension('subjectAltName', hosts.join(',')) : []),
  ]);
}

async function request(pki: string, file: string, subject: string, more: readonly string[]): Promise<void> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${file}.key`];
  const certificate = ['-config', 'openssl.cnf', '-days', '2', '-subj', subject, '-out', `${file}.crt`];
  await run('openssl', ['req', '-x509', ...key, ...certificate, ...more], { cwd: pki });
}

function extension(name: string, value: string): string[] {
  return ['-addext', `${name}=${value}`];
}

/** Escapes a value for openssl's `-subj`, where `/` and `+` separate names. */
function escaped(value: string): string {
  return value.replace(/[\\/+]/g, '\\$&');
}
