import { describe, expect, test } from 'vitest';
import {
  grantedFolder,
  isClosed,
  isGrantedAddress,
  isGrantedRepository,
  isGrantedVariable,
  readAddressGrant,
  readRegistryGrant,
} from '../../../formats/solution/grants.ts';

const url = (text: string): URL => new URL(text);

describe('files that a document may name', () => {
  const folders = ['/srv', '/srv/solutions', '/'];

  test('are in the innermost folder that is allowed', () => {
    expect(grantedFolder({ folders }, '/srv/solutions/a.iso')).toBe('/srv/solutions');
    expect(grantedFolder({ folders }, '/srv/solutions')).toBe('/srv/solutions');
    expect(grantedFolder({ folders }, '/srv/solutions-2/a.iso')).toBe('/srv');
    expect(grantedFolder({ folders: ['/srv'] }, '/srvs/a')).toBeUndefined();
    expect(grantedFolder({ folders: [] }, '/srv/a')).toBeUndefined();
  });

  test.each([
    '/proc/self/environ',
    '/proc',
    '/sys/a',
    '/run/secrets/kubernetes.io/serviceaccount/token',
    '/var/run/secrets/eks.amazonaws.com/serviceaccount/token',
  ])('are never %s, whatever is allowed', (path) => {
    expect(isClosed(path)).toBe(true);
    expect(grantedFolder({ folders: ['/', path] }, path)).toBeUndefined();
  });
});

test('variables are allowed by their names, or by how they begin', () => {
  const variables = ['PASSWORD', 'SITE_*'];
  expect(['PASSWORD', 'SITE_A', 'SITE_'].filter((name) => !isGrantedVariable({ variables }, name))).toEqual([]);
  expect(
    ['PASSWORDS', 'PASS', 'site_A', 'XSITE_A', ''].filter((name) => isGrantedVariable({ variables }, name)),
  ).toEqual([]);
});

describe('addresses', () => {
  const addresses = [url('https://files.example.com/edge'), url('http://10.0.0.1:8080/')];

  test.each([
    'https://files.example.com/edge',
    'https://files.example.com/edge/a.iso?token=1',
    'https://FILES.example.com:443/edge/a.iso',
    'http://10.0.0.1:8080/any/a%2fb.iso',
  ])('%s is below one that is allowed', (text) => {
    expect(isGrantedAddress({ addresses }, url(text))).toBe(true);
  });

  test.each([
    'http://files.example.com/edge/a.iso',
    'https://files.example.com:8443/edge/a.iso',
    'https://files.example.com.evil.example/edge/a.iso',
    'https://files.example.com@evil.example/edge/a.iso',
    'https://files.example.com/edges/a.iso',
    'https://files.example.com/edge/../other/a.iso',
    'https://files.example.com/edge/%2e%2e/other/a.iso',
    'https://files.example.com/edge/..%2fother/a.iso',
    'https://files.example.com/edge/..%5Cother/a.iso',
    'http://10.0.0.1:8081/a.iso',
    'http://127.0.0.1:8080/a.iso',
  ])('%s is not', (text) => {
    expect(isGrantedAddress({ addresses }, url(text))).toBe(false);
  });

  test('are allowed without user, query and fragment alone', () => {
    expect(readAddressGrant('https://files.example.com/edge')?.href).toBe('https://files.example.com/edge');
    for (const text of ['https://a:b@c/', 'https://c/?d', 'https://c/#d', 'ftp://c/', '/srv', 'c.example.com']) {
      expect(readAddressGrant(text)).toBeUndefined();
    }
  });
});

describe('registries', () => {
  const registries = ['registry.example.com', 'other.example.com:5000/team/shop'];
  const may = (registry: string, repository: string): boolean =>
    isGrantedRepository({ registries }, { registry, repository });

  test('are allowed whole, or from a repository on', () => {
    expect(may('registry.example.com', 'any/thing')).toBe(true);
    expect(may('Registry.Example.com', 'any/thing')).toBe(true);
    expect(may('other.example.com:5000', 'team/shop')).toBe(true);
    expect(may('other.example.com:5000', 'team/shop/web')).toBe(true);
    expect(may('other.example.com:5000', 'team/shopping')).toBe(false);
    expect(may('other.example.com', 'team/shop')).toBe(false);
    expect(may('registry.example.com:443', 'any')).toBe(false);
    expect(may('127.0.0.1:5000', 'team/shop')).toBe(false);
  });

  test('are read with a host, and without a tag', () => {
    const read = ['a.example', 'localhost:5000', 'localhost/x', 'index.docker.io/a/b', 'docker.io', '[::1]:5000/a'];
    expect(read.map(readRegistryGrant)).toEqual([
      ...['a.example', 'localhost:5000', 'localhost/x', 'docker.io/a/b', 'docker.io', '[::1]:5000/a'],
    ]);
    for (const text of ['team/shop', 'shop', '', 'a.example/x:1', 'https://a.example', 'a.example/X', 'a.example/']) {
      expect(readRegistryGrant(text)).toBeUndefined();
    }
  });
});
