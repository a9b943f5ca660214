import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import {
  formatReference,
  isRepository,
  isTag,
  parseReference,
  referenceFault,
} from '../../../formats/oci/reference.ts';

const digest = sha256('');

describe('an image reference', () => {
  test.for([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.27', 'docker.io/library/nginx:1.27'],
    ['grafana/grafana', 'docker.io/grafana/grafana:latest'],
    ['docker.io/nginx:1', 'docker.io/library/nginx:1'],
    ['index.docker.io/library/nginx', 'docker.io/library/nginx:latest'],
    ['registry.k8s.io/pause:3.10', 'registry.k8s.io/pause:3.10'],
    ['localhost/web', 'localhost/web:latest'],
    ['localhost:5000/web', 'localhost:5000/web:latest'],
    ['host:5000/a/b:c', 'host:5000/a/b:c'],
    ['UPPER/web', 'UPPER/web:latest'],
    ['[2001:db8::1]:5000/web:1', '[2001:db8::1]:5000/web:1'],
    ['quay.io/a/b__c-d.e--f:X_1', 'quay.io/a/b__c-d.e--f:X_1'],
    [`nginx@${digest}`, `docker.io/library/nginx@${digest}`],
    [`quay.io/a/b:1@${digest}`, `quay.io/a/b:1@${digest}`],
    ['web:5000', 'docker.io/library/web:5000'],
  ])('%s stands for %s', ([value, full]) => {
    expect(formatReference(parseReference(value!))).toBe(full);
    expect(formatReference(parseReference(full!))).toBe(full);
  });

  test.for([
    '',
    ':1',
    '/web',
    'web/',
    'a//b',
    'quay.io/',
    'Web',
    'quay.io/Web',
    'a b',
    'web:',
    'web:-1',
    'web:a b',
    `web:${'a'.repeat(129)}`,
    'web@',
    'web@sha256:12',
    `web@${digest}@${digest}`,
    `web@${digest.toUpperCase()}`,
    'quay.io:port/web',
    'a___b',
    '-a',
    'a-',
    'https://quay.io/a',
    'a/../b',
    'quay.io/a\n',
    `quay.io/${'a'.repeat(256)}`,
    'bad_host.io/a',
  ])('%j is none', (value) => {
    expect(() => parseReference(value)).toThrow(expect.objectContaining({ code: 'reference-invalid' }));
  });

  test.for([
    ['quay.io/App/Web:1', 'upper-case letters, which no registry accepts; did you mean quay.io/app/web:1?'],
    ['Web', 'did you mean web?'],
    [`docker.io/Library/nginx:V1@${digest}`, `did you mean docker.io/library/nginx:V1@${digest}?`],
    ['oci://quay.io/a/b:1', 'it has a scheme; leave oci:// out'],
    ['HTTPS://quay.io/a/b', 'it has a scheme; leave HTTPS:// out'],
    ['quay.io/a/b:1.0+build.2', 'a tag cannot have a +; look up what the registry has instead, often 1.0_build.2 or'],
    ['quay.io/a/b:', 'nothing follows the last :'],
    ['quay.io/a/b:1 ', 'it has a space'],
    ['quay.io/a/b:1+/', 'lower-case names between /'],
    ['quay.io/a/b@sha256:ABC', 'what follows @ is not a digest, such as sha256: and 64 characters of 0-9 and a-f'],
  ])('%j is none, and why is said', ([value, why]) => {
    expect(referenceFault(value!)).toContain(why);
  });

  test('that is one has no fault', () => {
    expect(referenceFault('quay.io/a/b:1')).toBeUndefined();
  });

  test('has a repository and a tag of the distribution specification', () => {
    expect(isRepository('a/b-c/d__e.f')).toBe(true);
    for (const value of ['', 'A', 'a/', '/a', 'a..b', 'a'.repeat(256)]) expect(isRepository(value)).toBe(false);
    expect(isTag('_v1.0-rc')).toBe(true);
    for (const value of ['', '.a', '-a', 'a'.repeat(129), 'a+b']) expect(isTag(value)).toBe(false);
  });

  test('is refused or stays the same once it is spelled out', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aA0./:@-_[]'), maxLength: 30 });
    fc.assert(
      fc.property(letters, (value) => {
        let full: string;
        try {
          full = formatReference(parseReference(value));
        } catch (error) {
          if (error instanceof FormatError) return;
          throw error;
        }
        expect(formatReference(parseReference(full))).toBe(full);
      }),
      { numRuns: 5000 },
    );
  });
});
