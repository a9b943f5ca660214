import { describe, expect, test } from 'vitest';
import { parseReference } from '../../../../formats/oci/reference.ts';
import { targetFor } from '../../../../lib/parts/registries/index.ts';
import { hostOf } from '../../../../lib/parts/registries/repository-target.ts';

describe('targetFor', () => {
  test.each([
    ['http://host:5000', 'nginx:1.27', { scheme: 'http', registry: 'host:5000', repository: 'library/nginx' }],
    ['http://host:5000/', 'quay.io/team/web:1', { scheme: 'http', registry: 'host:5000', repository: 'team/web' }],
    ['https://host/air/gap/', 'localhost:1/web', { scheme: 'https', registry: 'host', repository: 'air/gap/web' }],
    ['https://host:443', 'docker.io/a/b', { scheme: 'https', registry: 'host', repository: 'a/b' }],
    ['http://[::1]:5000', 'docker.io/a/b', { scheme: 'http', registry: '[::1]:5000', repository: 'a/b' }],
  ] as const)('%s takes %s', (url, reference, target) => {
    expect(targetFor(url, parseReference(reference))).toEqual(target);
  });

  test('a one-part name of Docker Hub keeps library/', () => {
    const reference = { registry: 'docker.io', repository: 'nginx' };
    expect(targetFor('http://host', reference).repository).toBe('library/nginx');
  });

  test.each([
    'host:5000',
    'ftp://host',
    'http://',
    'http://host?x=1',
    'http://host#x',
    'http://host/Upper',
    'http://host/a//b',
  ])('%s is refused', (url) => {
    expect(() => targetFor(url, parseReference('a/b'))).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
  });

  test('a URL with a password is refused without showing it', () => {
    const attempt = (): unknown => targetFor('http://ada:secret@host', parseReference('a/b'));
    expect(attempt).toThrow('must not hold a user');
    expect(attempt).not.toThrow('secret');
  });
});

test('Docker Hub is reached at its own server', () => {
  expect(hostOf('docker.io')).toBe('registry-1.docker.io');
  expect(hostOf('quay.io')).toBe('quay.io');
});
