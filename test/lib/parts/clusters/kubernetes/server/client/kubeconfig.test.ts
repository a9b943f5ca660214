import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../../../../../formats/bytes.ts';
import { SolpackError } from '../../../../../../../lib/kernel/events/errors.ts';
import { openCredentials } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/credentials.ts';
import {
  type Kubeconfig,
  parseKubeconfig,
} from '../../../../../../../lib/parts/clusters/kubernetes/server/client/kubeconfig.ts';
import { scratch } from '../../../../../../support/judges.ts';

const valid = `
apiVersion: v1
kind: Config
clusters:
- name: edge
  cluster: {server: "https://10.0.0.1:6443/", certificate-authority: pki/ca.crt}
users:
- name: ada
  user: {client-certificate: pki/ada.crt, client-key: /keys/ada.key, token: s3cr3t-token}
contexts:
- name: here
  context: {cluster: edge, user: ada, namespace: default}
current-context: here
`;
const parse = (text: string): Kubeconfig => parseKubeconfig(utf8(text), '/etc/kube/config');
const refusal = (text: string): SolpackError => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof SolpackError) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

test('the entries of the current context are read, with files beside the kubeconfig', () => {
  expect(parse(valid)).toMatchObject({
    server: new URL('https://10.0.0.1:6443'),
    who: 'user "ada"',
    cluster: { 'certificate-authority': '/etc/kube/pki/ca.crt' },
    user: { 'client-certificate': '/etc/kube/pki/ada.crt', 'client-key': '/keys/ada.key', token: 's3cr3t-token' },
  });
});

test('a path behind the server is kept, as of clusters behind a gateway', () => {
  expect(parse(valid.replace('6443/', '6443/k8s/clusters/c-1/')).server.href).toBe(
    'https://10.0.0.1:6443/k8s/clusters/c-1',
  );
});

test('what other contexts are about does not matter', () => {
  expect(parse(valid.replace('clusters:', 'clusters:\n- name: broken\n  cluster: 5')).who).toBe('user "ada"');
});

test('empty and null fields are as good as absent', () => {
  const user = parse(valid.replace('token: s3cr3t-token', 'token: "", exec: null, username: ~')).user;
  expect([user.token, user.exec, user.username]).toEqual([undefined, null, undefined]);
});

test('a program with a folder in its name stands beside the kubeconfig, a bare name on PATH', () => {
  const exec = (command: string): string =>
    valid.replace('token: s3cr3t-token', `exec: {apiVersion: client.authentication.k8s.io/v1, command: ${command}}`);
  expect(parse(exec('./bin/login')).user.exec?.command).toBe('/etc/kube/bin/login');
  expect(parse(exec('aws')).user.exec?.command).toBe('aws');
});

describe('a kubeconfig is refused in words', () => {
  test.each<[string | RegExp, string]>([
    ['it is empty', ''],
    [/config:1:/, '--- a: 1\n--- b: 2'],
    ['more than one document', 'a: 1\n---\nb: 2'],
    ['config:1:1: has to be a mapping, but is a list', '- a'],
    [/config:1:/, '{'],
    ['config:1:1: has to be a mapping, but is a text', 'just words'],
    ['it has no current-context', valid.replace('current-context: here', '')],
    ['it has no current-context', valid.replace('current-context: here', 'current-context: ""')],
    ['it has no context "there"', valid.replace('current-context: here', 'current-context: there')],
    ['it has no cluster "core"', valid.replace('cluster: edge', 'cluster: core')],
    ['context "here": cluster', valid.replace('{cluster: edge, ', '{')],
    ['it has no user "bob"', valid.replace('user: ada', 'user: bob')],
    ['user "ada"', valid.replace('user: {', 'user: 7\n  x: {')],
    ['user "ada": token', valid.replace('token: s3cr3t-token', 'token: 12345')],
    ['user "ada": as-groups.0', valid.replace('token: s3cr3t-token', 'as-groups: [1]')],
    ['user "ada": exec.', valid.replace('token: s3cr3t-token', 'exec: {}')],
    ['cluster "edge": server', valid.replace('server: "https://10.0.0.1:6443/"', 'server: ""')],
    ['the server of cluster "edge" is not a URL', valid.replace('https://10.0.0.1:6443/', '10.0.0.1:6443')],
    ['the server of cluster "edge" is not a URL', valid.replace('https:', 'ftp:')],
    ['the server of cluster', valid.replace('https:', 'https')],
    ['the proxy-url of cluster "edge"', valid.replace('certificate-authority: pki/ca.crt', 'proxy-url: nowhere')],
    ['clusters', valid.replace('clusters:', 'clusters: 5\nxs:')],
    ['more than one user "ada"', valid.replace('users:', 'users:\n- name: ada\n  user: {}')],
    ['twice', valid.replace('kind: Config', 'kind: Config\nkind: Config')],
  ])('%s', (message, text) => {
    expect(refusal(text)).toMatchObject({
      code: 'kubeconfig-invalid',
      subject: '/etc/kube/config',
      message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
      hint: expect.any(String),
    });
  });

  test('bytes that are no text', () => {
    expect(() => parseKubeconfig(new Uint8Array([0xff, 0xfe, 0]), 'x')).toThrow(SolpackError);
  });

  test('without repeating a token', () => {
    for (const text of [
      valid.replace('token: ', 'token: [').replace('s3cr3t-token}', 's3cr3t-token'),
      valid.slice(0, -60),
    ]) {
      expect(JSON.stringify([refusal(text).message, refusal(text).hint])).not.toContain('s3cr3t');
    }
  });
});

describe('whatever a kubeconfig holds, it ends in credentials or in words', () => {
  const folder = scratch('kubeconfig');
  const path = join(folder, 'config');
  const opens = async (text: string): Promise<void> => {
    writeFileSync(path, text);
    try {
      const credentials = await openCredentials(path, new AbortController().signal);
      await credentials.access();
      credentials.close();
    } catch (error) {
      if (!(error instanceof SolpackError)) throw error;
      expect(['kubeconfig-invalid', 'file-missing', 'file-unreadable']).toContain(error.code);
      expect(error.message).not.toMatch(/cannot read prop|is not a function|"undefined"/i);
      expect(`${error.message}${error.hint}`).not.toContain('s3cr3t');
    }
  };
  const document = {
    clusters: [
      {
        name: 'c',
        cluster: { server: 'https://127.0.0.1:1', 'certificate-authority-data': 'AAAA', 'proxy-url': 'http://p:1' },
      },
    ],
    users: [
      {
        name: 'u',
        user: {
          token: 's3cr3t',
          username: 'a',
          password: 's3cr3t',
          'auth-provider': { name: 'oidc', config: { 'id-token': 'a.b.c' } },
        },
      },
    ],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };

  test('with any field replaced or gone', async () => {
    const paths = pathsOf(document);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.option(fc.jsonValue(), { nil: undefined }), async (at, value) => {
        await opens(JSON.stringify(replaced(document, at, value)) ?? '');
      }),
      { numRuns: 150 },
    );
  });

  test('with any piece of its text cut out or doubled', async () => {
    const text = JSON.stringify(document, null, 1);
    const cut = fc.tuple(fc.nat(text.length), fc.nat(40), fc.boolean());
    await fc.assert(
      fc.asyncProperty(cut, async ([start, length, double]) => {
        const piece = text.slice(start, start + length);
        await opens(text.slice(0, start) + (double ? piece + piece : '') + text.slice(start + length));
      }),
      { numRuns: 150 },
    );
  });
});

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...entries.flatMap(([key, child]) => pathsOf(child, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}
