import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DoctorRequest, HealthFinding } from '../../../../lib/flows/doctor/request.ts';
import { apiServer, listen, kubeconfig as writeKubeconfig } from '../../../support/apiserver.ts';
import { starts, writeFiles } from '../../../support/cli.ts';
import { head } from '../../../support/configurations.ts';
import { controlPlaneTest, sharedControlPlane } from '../../../support/control-plane.ts';
import { examined, foundBy } from '../../../support/doctor.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { dockerRegistry } from '../../../support/registry.ts';

const folder = scratch('doctor-network');
const at = (...names: string[]): string => join(folder, ...names);
const hint = expect.any(String);
const plane = sharedControlPlane();
let now: number;
const DAY = 86_400;
const pem = (name: string): string => readFileSync(at(name), 'utf8');

/** Makes a certificate of its own for 127.0.0.1 that is good for so many days, `NAME.pem`, and its key, `NAME.key`. */
const certificate = (name: string, days: number): Promise<string> =>
  ok('openssl', [
    ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
    ...['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`), '-days', String(days), '-subj', `/CN=${name}`],
    ...['-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);

beforeAll(async () => {
  await certificate('long', 400);
  await certificate('short', 20);
  now = Math.floor(Date.now() / 1000);
});

/** Somebody who takes connections, and says nothing. */
const silent = (): Promise<number> => listen(createServer(() => undefined) as never);

describe('the port of serve', () => {
  const port = (profile: string, more: Partial<DoctorRequest> = {}): Promise<readonly HealthFinding[]> =>
    foundBy('port', folder, profile, more);
  const serveAt = (url: string): string => `[images]\nserve = "${url}"\n`;

  test('is held by our own serve, with or without passwords, or fails where that is not ready', async () => {
    const words = ['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0', '--quiet'];
    await using open = await starts(words, { cwd: folder });
    expect(await port(serveAt(open.first))).toMatchObject([{ state: 'ok', message: '"solpack serve" uses it' }]);
    const hash = (await ok('openssl', ['passwd', '-6', 'secret'])).trim();
    writeFiles(folder, { users: `ada:${hash}\n` });
    const more = ['--htpasswd', 'users', '--tls-cert', 'long.pem', '--tls-key', 'long.key'];
    await using closed = await starts(['serve', '--store', 'other', ...words.slice(4), ...more], { cwd: folder });
    expect(closed.first).toContain('https:');
    expect(await port(serveAt(closed.first))).toMatchObject([{ state: 'ok' }]);
    writeFiles(folder, { 'serve.yaml': `${head}archives: [absent.iso]\n` });
    await using unready = await starts(['serve', '-f', 'serve.yaml', ...words.slice(4)], { cwd: folder });
    expect(await port(serveAt(unready.first))).toMatchObject([
      { state: 'fails', message: expect.stringMatching(/is not ready: .*absent\.iso/), hint },
    ]);
  });

  judged('is held by somebody else', ['docker-registry'], async () => {
    const { url, host } = await registry();
    const expected = [{ state: 'fails', subject: host, hint: expect.stringContaining('ss -ltnp sport = :') }];
    expect(await port(serveAt(url))).toMatchObject(expected);
    expect(await port(serveAt(url), { purposes: ['serve'] })).toMatchObject(expected);
  });

  test('is free for who wants to serve, and fails for who installs by it', async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
    await new Promise((closed) => server.close(closed));
    expect(await port(serveAt(url), { purposes: ['serve'] })).toMatchObject([{ state: 'ok', message: 'is free' }]);
    expect(await port(serveAt(url))).toMatchObject([
      { state: 'fails', message: expect.stringContaining('nothing serves there'), hint },
    ]);
  });

  test('of another machine is not looked at', async () => {
    expect(await port(serveAt('http://other.invalid:5000'))).toEqual([]);
  });

  test('that takes connections and says nothing is not waited for without end, nor when the user ends it', async () => {
    const url = `http://127.0.0.1:${await silent()}`;
    expect(await port(serveAt(url))).toMatchObject([{ state: 'fails', hint }]);
    const ended = new AbortController();
    const flow = { ...testFlow(), signal: ended.signal, onEvent: () => ended.abort() };
    await expect(examined(folder, serveAt(url), {}, flow)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

const registry = dockerRegistry(folder);
const secure = dockerRegistry(folder, { tls: { certificate: at('long.pem'), key: at('long.key') } });
const near = dockerRegistry(folder, { tls: { certificate: at('short.pem'), key: at('short.key') } });

describe('the registry', () => {
  const asked = (url: string, more = ''): Promise<readonly HealthFinding[]> =>
    foundBy('registry', folder, `[images]\nregistry = "${url}"\n${more}`);

  judged('answers', ['docker-registry'], async () => {
    const { url } = await registry();
    expect(await asked(url)).toEqual([{ state: 'ok', subject: url, message: 'answers' }]);
    expect(await asked(`${url}/with/a/prefix`)).toMatchObject([{ state: 'ok' }]);
  });

  judged('is trusted by the folder of certificates of the profile alone', ['docker-registry'], async () => {
    const { url, host } = await secure();
    expect(await asked(url)).toMatchObject([{ state: 'fails', hint: expect.stringContaining('--certs-dir') }]);
    writeFiles(folder, { [`etc/certs.d/${host}/ca.crt`]: pem('long.pem') });
    expect(await asked(url, '[registry]\ncerts-dir = "certs.d"\n')).toMatchObject([{ state: 'ok' }]);
  });

  test('does not answer', async () => {
    expect(await asked('http://127.0.0.1:1')).toMatchObject([
      { state: 'fails', message: expect.stringContaining('refused'), hint },
    ]);
    expect(await asked(`http://127.0.0.1:${await silent()}`)).toMatchObject([{ state: 'fails', hint }]);
  });
});

describe('the cluster', () => {
  const asked = (path: string): Promise<readonly HealthFinding[]> =>
    foundBy('cluster', folder, `kubeconfig = "${path}"\n`);

  controlPlaneTest('answers, and its certificates are good', async () => {
    const kubeconfig = await plane().userKubeconfig('ada');
    const { checks } = await examined(folder, `kubeconfig = "${kubeconfig}"\n`);
    expect(checks.filter(({ code }) => code === 'cluster')).toMatchObject([{ state: 'ok', subject: kubeconfig }]);
    const certificates = checks.filter(({ code }) => code === 'certificate').map(({ subject }) => subject);
    expect(certificates).toEqual([
      `client certificate of ${kubeconfig}`,
      `certificate authority of ${kubeconfig}`,
      expect.stringMatching(/^certificate of https:/),
    ]);
  });

  test('is that of the machine where there is no profile, and nothing where there is none', async () => {
    expect(await foundBy('cluster', folder, undefined)).toMatchObject([{ state: 'skipped', hint }]);
    const own = writeKubeconfig(folder, { server: 'http://127.0.0.1:1' });
    writeFiles(folder, { 'k3s/etc/rancher/k3s/k3s.yaml': readFileSync(own) });
    const [finding] = await foundBy('cluster', folder, undefined, { root: at('k3s') });
    expect(finding).toMatchObject({ state: 'fails', subject: '/etc/rancher/k3s/k3s.yaml' });
  });

  test('fails where it is not ready, does not answer, or its kubeconfig is of no use', async () => {
    const { url } = await apiServer((_, response) => {
      response.writeHead(500).end('[+]ping ok\n[-]etcd failed: reason withheld\n');
    });
    expect(await asked(writeKubeconfig(folder, { server: url }))).toMatchObject([
      { state: 'fails', message: 'the API server is not ready: etcd', hint },
    ]);
    expect(await asked(writeKubeconfig(folder, { server: 'http://127.0.0.1:1' }))).toMatchObject([
      { state: 'fails', message: expect.stringContaining('refused'), hint },
    ]);
    writeFiles(folder, { 'etc/none.conf': 'kind: Nothing\n' });
    for (const name of ['none.conf', 'absent.conf'])
      expect(await asked(name)).toMatchObject([{ state: 'fails', hint }]);
  });
});

describe('certificates', () => {
  const judgedAt = (profile: string, days: number): Promise<readonly HealthFinding[]> =>
    foundBy('certificate', folder, profile, { clock: now + days * DAY });
  const cluster = (ca: string, own: string, server = 'https://127.0.0.1:1'): string =>
    writeKubeconfig(
      folder,
      { server, 'certificate-authority': at(`${ca}.pem`) },
      { 'client-certificate': at(`${own}.pem`), 'client-key': at(`${own}.key`) },
    );

  test('of a kubeconfig are told of thirty days before they end, and fail afterwards and before they begin', async () => {
    const profile = `kubeconfig = "${cluster('long', 'short')}"\n`;
    expect(await judgedAt(profile, 0)).toMatchObject([
      { state: 'warns', subject: expect.stringContaining('client certificate of'), hint },
      { state: 'ok', subject: expect.stringContaining('certificate authority of') },
    ]);
    expect(await judgedAt(profile, 21)).toMatchObject([
      { state: 'fails', message: expect.stringContaining('expired at'), hint: expect.stringContaining('kubeconfig') },
      { state: 'ok' },
    ]);
    expect(await judgedAt(profile, -1)).toMatchObject([
      { state: 'fails', hint: expect.stringContaining('clock') },
      { state: 'fails' },
    ]);
    expect(await judgedAt(`kubeconfig = "${cluster('long', 'long')}"\n`, 0)).toMatchObject([
      { state: 'ok' },
      { state: 'ok' },
    ]);
  });

  test('that a distribution renews are renewed by its command', async () => {
    writeFiles(folder, { 'adm/etc/kubernetes/admin.conf': '' });
    const found = await foundBy('certificate', folder, `kubeconfig = "${cluster('short', 'short')}"\n`, {
      root: at('adm'),
    });
    expect(found).toMatchObject([{ hint: 'kubeadm certs renew all' }, { hint: 'kubeadm certs renew all' }]);
  });

  test('that an API server shows are looked at, and so is a token that says its end', async () => {
    const { url } = await apiServer(() => ({}), { cert: pem('short.pem'), key: pem('short.key') });
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'none' })}.${part({ exp: now + 5 * DAY })}.x`;
    const path = writeKubeconfig(folder, { server: url, 'certificate-authority': at('long.pem') }, { token });
    expect(await judgedAt(`kubeconfig = "${path}"\n`, 0)).toMatchObject([
      { state: 'warns', subject: `token of ${path}`, message: expect.stringMatching(/^expires in [45] days/) },
      { state: 'ok' },
      { state: 'warns', subject: `certificate of ${url}`, hint },
    ]);
  });

  judged('of a registry are looked at, and those for it', ['docker-registry'], async () => {
    const { url, host } = await near();
    const more = { 'ca.crt': pem('short.pem'), 'own.cert': pem('long.pem'), 'own.key': pem('long.key') };
    writeFiles(
      folder,
      Object.fromEntries(Object.entries(more).map(([name, text]) => [`etc/near.d/${host}/${name}`, text])),
    );
    const profile = `[images]\nregistry = "${url}"\n[registry]\ncerts-dir = "near.d"\n`;
    expect(await judgedAt(profile, 0)).toMatchObject([
      { state: 'warns', subject: `certificate authority for ${host}`, hint },
      { state: 'ok', subject: `client certificate for ${host}` },
      { state: 'warns', subject: `certificate of ${url}`, hint },
    ]);
  });
});
