import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import {
  embeddedRegistry,
  type ImageDelivery,
  pushedToRegistry,
  runningServe,
} from '../../../../lib/flows/install/index.ts';
import { hostsOf, pullNames } from '../../../../lib/flows/install/pull-names.ts';
import { reachable } from '../../../../lib/parts/mirrors/index.ts';

const digest = sha256('image');
const web = 'registry.example.com/guestbook/web:1.1.0';
const embedded = (port: number, hold: boolean): ImageDelivery => embeddedRegistry({ host: '127.0.0.1', port, hold });
const remote = (kind: 'registry' | 'served', url: string): ImageDelivery =>
  (kind === 'registry' ? pushedToRegistry : runningServe)(url, {});

describe('the name by which nodes pull', () => {
  test.each([
    ['the embedded registry ends with the install', embedded(5000, false), false],
    ['the embedded registry has any free port', embedded(0, true), false],
    ['there are mirrors of a serve', remote('served', 'http://10.0.0.1:5000'), true],
    ['there are mirrors of a registry', remote('registry', 'http://10.0.0.1:5000/edge'), true],
    ['there are mirrors of the embedded registry', embedded(5000, true), true],
  ])('is the own one of an image, with its digest, where %s', (_, load, mirrored) => {
    const name = pullNames(load, 'http://10.0.0.1:5000', mirrored);
    expect(name(web, digest)).toBe(`${web}@${digest}`);
    expect(name('docker.io/library/nginx', digest)).toBe(`docker.io/library/nginx@${digest}`);
    expect(name(`a.example/b@${sha256('other')}`, digest)).toBe(`a.example/b@${digest}`);
  });

  test.each([
    ['a serve', remote('served', 'http://10.0.0.1:5000')],
    ['an embedded registry that stays at its address', embedded(5000, true)],
  ])('is below the name of its own registry in %s', (_, load) => {
    const name = pullNames(load, 'http://10.0.0.1:5000', false);
    expect(name(web, digest)).toBe(`10.0.0.1:5000/${web}@${digest}`);
    expect(name('Localhost:5001/a:1', digest)).toBe(`10.0.0.1:5000/localhost_5001/a:1@${digest}`);
  });

  test('is what a registry was given: below the path of its URL, without the host', () => {
    const name = pullNames(remote('registry', 'https://registry.local/edge'), 'https://registry.local/edge', false);
    expect(name(web, digest)).toBe(`registry.local/edge/guestbook/web:1.1.0@${digest}`);
  });

  test('says the port of a host that could be taken for a part of the repository', () => {
    const url = 'http://registry';
    expect(pullNames(remote('registry', url), url, false)('a.example/b:1', digest)).toBe(`registry:80/b:1@${digest}`);
  });
});

test('a registry that listens everywhere is reached on this machine', () => {
  expect(reachable('http://0.0.0.0:5000')).toBe('http://127.0.0.1:5000');
  expect(reachable('http://[::]:5000')).toBe('http://[::1]:5000');
  expect(reachable('http://10.0.0.0:5000')).toBe('http://10.0.0.0:5000');
});

test('the registries of images are named once', () => {
  expect(hostsOf([web, 'nginx', 'docker.io/library/a:1', 'localhost:5000/b'])).toEqual([
    'docker.io',
    'localhost:5000',
    'registry.example.com',
  ]);
});
