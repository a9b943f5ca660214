import { expect, test } from 'vitest';
import type { Package } from '../../../formats/packages/kind.ts';
import type { Distribution } from '../../../formats/packages/os-release.ts';
import { purlOf } from '../../../formats/packages/purl.ts';

const debian: Distribution = { id: 'debian', version: '12' };

// The first of each kind is an example of the purl specification, but for the qualifiers that it leaves to others.
test.each<[string, Package, Distribution | undefined]>([
  [
    'pkg:deb/debian/attr@1:2.4.47-2?arch=amd64',
    { type: 'deb', name: 'attr', version: '1:2.4.47-2', architecture: 'amd64' },
    undefined,
  ],
  [
    'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1~x?arch=amd64&distro=debian-12&upstream=gcc-12%4012.2.0-14',
    {
      type: 'deb',
      name: 'libstdc++6',
      version: '12.2.0-14+deb12u1~x',
      architecture: 'amd64',
      source: { name: 'gcc-12', version: '12.2.0-14' },
    },
    debian,
  ],
  [
    'pkg:deb/ubuntu/a@1?distro=ubuntu-22.04',
    { type: 'deb', name: 'a', version: '1' },
    { id: 'ubuntu', version: '22.04' },
  ],
  [
    'pkg:apk/alpine/curl@7.83.0-r0?arch=x86',
    { type: 'apk', name: 'curl', version: '7.83.0-r0', architecture: 'x86' },
    undefined,
  ],
  [
    'pkg:apk/wolfi/ssl_client@1.36-r0?distro=wolfi&upstream=busybox',
    { type: 'apk', name: 'ssl_client', version: '1.36-r0', source: { name: 'busybox' } },
    { id: 'wolfi' },
  ],
  ['pkg:npm/%40angular/animation@12.3.1', { type: 'npm', name: '@angular/animation', version: '12.3.1' }, debian],
  ['pkg:npm/JSONStream@1.3.5', { type: 'npm', name: 'JSONStream', version: '1.3.5' }, debian],
  ['pkg:pypi/django-allauth@12.23', { type: 'pypi', name: 'django_allauth', version: '12.23' }, debian],
  ['pkg:npm/a', { type: 'npm', name: 'a' }, undefined],
  ['pkg:npm/a%20b%21@1%20%282%29', { type: 'npm', name: 'a b!', version: '1 (2)' }, undefined],
  [
    'pkg:golang/google.golang.org/genproto@abcdedf',
    { type: 'golang', name: 'google.golang.org/genproto', version: 'abcdedf' },
    debian,
  ],
  [
    'pkg:golang/github.com/burntsushi/toml@v1.3.2%2Bincompatible',
    { type: 'golang', name: 'github.com/BurntSushi/toml', version: 'v1.3.2+incompatible' },
    undefined,
  ],
])('%s', (purl, found, distribution) => {
  expect(purlOf(found, distribution)).toBe(purl);
});
