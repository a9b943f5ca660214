import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ClusterAccess,
  type ClusterCredentials,
  openCredentials,
} from '../../../../../../../lib/parts/clusters/kubernetes/server/client/credentials.ts';
import { parseExecCredential } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/exec-plugin.ts';
import { apiServer, authority, connected, kubeconfig, listen, signedBy } from '../../../../../../support/apiserver.ts';
import { judged, scratch } from '../../../../../../support/judges.ts';

const folder = scratch('login');
const signal = new AbortController().signal;
const cluster = { server: 'https://127.0.0.1:1' };

function opened(user: object, env?: Record<string, string>, more: object = {}): Promise<ClusterCredentials> {
  return openCredentials(kubeconfig(folder, { ...cluster, ...more }, user), signal, env);
}

async function access(user: object, env?: Record<string, string>, more: object = {}): Promise<ClusterAccess> {
  return (await opened(user, env, more)).access();
}

const v1 = 'client.authentication.k8s.io/v1';

function program(name: string, lines: string): { apiVersion: string; command: string } {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return { apiVersion: v1, command: `./${name}` };
}

function prints(status: object): string {
  return `printf '%s' '${JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status })}'`;
}

const text = (path: string): string => readFileSync(join(folder, path), 'utf8');

describe('a credential plugin', () => {
  test('gets the environment, and what the kubeconfig adds to it', async () => {
    const exec = program('environment', `echo "$A $B $KEPT" > ${folder}/seen; ${prints({ token: 't' })}`);
    const env = [
      { name: 'A', value: 'of the kubeconfig' },
      { name: 'B', value: 'added' },
    ];
    await access({ exec: { ...exec, env } }, { A: 'of the machine', KEPT: 'kept' });
    expect(text('seen')).toBe('of the kubeconfig added kept\n');
  });

  test.each([v1, 'client.authentication.k8s.io/v1beta1'])('is told of the cluster by %s', async (apiVersion) => {
    const exec = program(
      'information',
      `printf '%s' "$KUBERNETES_EXEC_INFO" > ${folder}/info; ${prints({ token: 't' })}`,
    );
    const ca = { 'certificate-authority-data': 'AAAA', 'proxy-url': 'http://p:1', 'tls-server-name': 'n' };
    const error = await access({ exec: { ...exec, apiVersion, provideClusterInfo: true } }, {}, ca).catch((e) => e);
    expect(error.message).toContain('certificate authority');
    expect(JSON.parse(text('info'))).toEqual({
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: 'https://127.0.0.1:1/', ...ca } },
    });
    await access({ exec: { ...exec, apiVersion } });
    expect(JSON.parse(text('info'))).toEqual({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } });
  });

  test('is asked once, and again when what it printed has expired', async () => {
    const credentials = async (until: string | undefined): Promise<string> => {
      writeFileSync(join(folder, 'count'), '');
      const exec = program(
        'counts',
        `echo x >> ${folder}/count; ${prints({ token: 't', expirationTimestamp: until })}`,
      );
      const found = await opened({ exec });
      for (let time = 0; time < 3; time += 1) await found.access();
      found.close();
      return text('count');
    };
    expect(await credentials(undefined)).toBe('x\n');
    expect(await credentials(new Date(Date.now() + 60_000).toISOString())).toBe('x\n');
    expect(await credentials(new Date(Date.now() - 60_000).toISOString())).toBe('x\nx\nx\n');
  });

  test('is asked once for requests that are made at the same time', async () => {
    const past = new Date(Date.now() - 60_000).toISOString();
    writeFileSync(join(folder, 'count'), '');
    const lines = `echo x >> ${folder}/count; ${prints({ token: 't', expirationTimestamp: past })}`;
    const found = await opened({ exec: program('parallel', lines) });
    await Promise.all([found.access(), found.access(), found.access()]);
    expect(text('count')).toBe('x\n');
  });

  test('is not asked where the kubeconfig has a token', async () => {
    const exec = program('never', 'exit 1');
    expect((await access({ token: 'own', exec })).headers).toEqual({ authorization: 'Bearer own' });
  });

  test('that prints without end is ended', async () => {
    const exec = program('endless', 'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done');
    await expect(access({ exec })).rejects.toMatchObject({
      code: 'kubeconfig-invalid',
      message: expect.stringMatching(/endless", .* printed more than 1\.0 MiB$/),
    });
  });

  judged('may print a certificate with its key, which the server is shown', ['openssl'], async () => {
    const ca = await authority(folder, 'ca');
    const [server, ada] = [await signedBy(ca, folder, 'server'), await signedBy(ca, folder, 'ada')];
    const names: unknown[] = [];
    const { url } = await apiServer(
      ({ message }) => {
        names.push((message.socket as TLSSocket).getPeerCertificate().subject.CN);
        return { kind: 'APIGroupDiscoveryList', items: [] };
      },
      { cert: readFileSync(server.cert), key: readFileSync(server.key), ca: readFileSync(ca.cert), requestCert: true },
    );
    const status = {
      clientCertificateData: readFileSync(ada.cert, 'utf8'),
      clientKeyData: readFileSync(ada.key, 'utf8'),
    };
    const exec = program('certificate', prints(status).replaceAll('\\n', '\\\\n').replace("printf '%s'", 'printf'));
    const { api } = await connected(kubeconfig(folder, { server: url, 'certificate-authority': ca.cert }, { exec }));
    await api.discover(signal);
    expect(new Set(names)).toEqual(new Set(['ada']));
    const half = { exec: program('half', prints({ clientCertificateData: 'x' })) };
    await expect(access(half)).rejects.toMatchObject({ message: expect.stringContaining('but no client key') });
  });

  test('prints an ExecCredential, or what is told from one', () => {
    const parse = (value: unknown) => parseExecCredential(Buffer.from(JSON.stringify(value) ?? ''));
    const nothing = { token: undefined, certificate: undefined, key: undefined, until: undefined };
    expect(parse({ status: { token: 't', clientKeyData: '' } })).toEqual({ ...nothing, token: 't' });
    for (const value of [undefined, null, 5, [], {}, { status: null }, { status: { token: 5 } }]) {
      expect(parse(value)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.uint8Array(), (value, bytes) => {
        parse(value);
        parse({ status: value });
        parseExecCredential(bytes);
      }),
    );
  });
});

const jwt = (seconds: number): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp: Math.round(Date.now() / 1000) + seconds })}.c2ln`;
};

describe('an identity token', () => {
  const provider = (name: string, config: object): object => ({ 'auth-provider': { name, config } });

  test('is used as long as it is good, and where there is nothing to renew it with', async () => {
    const good = jwt(60);
    const never = { 'idp-issuer-url': 'https://127.0.0.1:1', 'client-id': 'c', 'refresh-token': 'r' };
    const found = await access(provider('oidc', { 'id-token': good, ...never }));
    expect(found.headers).toEqual({ authorization: `Bearer ${good}` });
    expect((await access(provider('oidc', { 'id-token': jwt(-60) }))).refusal).toMatch(/^the token of .* expired on /);
  });

  /** An issuer, which answers requests for tokens as `answer` says; `asked` are those requests. */
  async function issuer(answer: (form: URLSearchParams) => [number, object], issues?: string) {
    const ca = await authority(folder, 'idp');
    const pair = await signedBy(ca, folder, 'idp-server');
    const asked: { form: string; authorization: string | undefined }[] = [];
    const server = createServer(
      { cert: readFileSync(pair.cert), key: readFileSync(pair.key) },
      async (request, response) => {
        const url = `https://${request.headers.host}`;
        if (request.url === '/realm/.well-known/openid-configuration') {
          response.end(JSON.stringify({ issuer: issues ?? `${url}/realm`, token_endpoint: `${url}/token` }));
          return;
        }
        let body = '';
        for await (const chunk of request) body += chunk;
        asked.push({ form: body, authorization: request.headers.authorization });
        const [status, value] = answer(new URLSearchParams(body));
        response.writeHead(status).end(JSON.stringify(value));
      },
    );
    const config = {
      'idp-issuer-url': `https://127.0.0.1:${await listen(server)}/realm`,
      'idp-certificate-authority': ca.cert,
      'client-id': 'solpack/1',
      'id-token': jwt(-60),
      'refresh-token': 's3cr3t-1',
    };
    return { asked, config };
  }

  judged('that has expired is renewed by its issuer, each time with the last refresh token', ['openssl'], async () => {
    let count = 1;
    const tokens = [jwt(-5), jwt(60)];
    const { asked, config } = await issuer(() => {
      count += 1;
      return [200, { id_token: tokens[Math.min(count - 2, 1)], refresh_token: `s3cr3t-${count}` }];
    });
    const credentials = await opened(provider('oidc', config));
    for (let time = 0; time < 2; time += 1) await credentials.access();
    expect((await credentials.access()).headers).toEqual({ authorization: `Bearer ${tokens[1]}` });
    expect(asked.map(({ form }) => form)).toEqual(
      [1, 2].map((at) => `grant_type=refresh_token&refresh_token=s3cr3t-${at}&client_id=solpack%2F1`),
    );
    await access(provider('oidc', { ...config, 'client-secret': 'x:y' }));
    expect(asked.at(-1)?.authorization).toBe(`Basic ${Buffer.from('solpack%2F1:x%3Ay').toString('base64')}`);
  });

  judged('that is not renewed is reported with the reason, and without a token', ['openssl'], async () => {
    const refuses = async (config: object): Promise<string> => {
      const error = await access(provider('oidc', config)).catch((e) => e);
      expect(error).toMatchObject({ code: 'kubeconfig-invalid', hint: 'get a new kubeconfig for the cluster' });
      expect(`${error.message}${error.hint}${error.cause}`).not.toContain('s3cr3t');
      return error.message.replace(/^.*cannot be used: /, '').replace(/:\d{4,5}/, '');
    };
    const { config } = await issuer(() => [400, { error: 'invalid_grant', error_description: 's3cr3t-1 is used up' }]);
    expect(await refuses(config)).toBe('https://127.0.0.1/token answered with status 400 (invalid_grant)');
    const odd = await issuer(() => [200, { access_token: 's3cr3t' }]);
    expect(await refuses(odd.config)).toBe('https://127.0.0.1/token answered without id_token');
    const other = await issuer(() => [200, {}], 'https://other.example.com');
    expect(await refuses(other.config)).toMatch(/openid-configuration is about another issuer$/);
    expect(other.asked).toEqual([]);
    expect(await refuses({ ...config, 'idp-issuer-url': 'http://127.0.0.1' })).toContain('no https:// URL');
    expect(await refuses({ ...config, 'idp-certificate-authority': undefined })).toMatch(/certificate|self.signed/i);
  });

  test('of a provider that Kubernetes has no more is used as long as it is good', async () => {
    const config = {
      'access-token': 'old',
      'cmd-path': '/bin/false',
      expiry: new Date(Date.now() + 9e4).toISOString(),
    };
    expect((await access(provider('gcp', config))).headers).toEqual({ authorization: 'Bearer old' });
    const expired = { 'access-token': 's3cr3t', 'expires-on': '1000000000' };
    await expect(access(provider('azure', expired))).rejects.toMatchObject({
      message: expect.stringMatching(/^the credentials of user "ada" .*"azure" has expired$/),
      hint: expect.stringContaining('credential plugins (exec)'),
    });
    await expect(access(provider('azure', {}))).rejects.toThrow(/is missing$/);
  });
});
