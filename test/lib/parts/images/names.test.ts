import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { findImage, namesOf } from '../../../../lib/parts/images/names.ts';

const image = (seed: string, ...names: string[]) => ({ digest: sha256(seed), names });
const find = (images: ReturnType<typeof image>[], name: string) => findImage(images, name, 'a.tar');

describe('an image is found by', () => {
  const images = [image('a', 'docker.io/library/nginx:1.27'), image('b', '1.0'), image('c', 'quay.io/x/y:2', 'latest')];
  test.for([
    ['its digest', sha256('b'), 1],
    ['its position', '@2', 2],
    ['its name as it is stored', '1.0', 1],
    ['the same reference in short', 'nginx:1.27', 0],
    ['the same reference under an older host', 'index.docker.io/library/nginx:1.27', 0],
    ['the tag alone where that is stored', 'registry.example.com/web:1.0', 1],
    ['the tag that is left out', 'registry.example.com/web', 2],
    ['a reference with its digest', `registry.example.com/web:9@${sha256('c')}`, 2],
  ] as const)('%s', ([, name, at]) => {
    expect(find(images, name)).toBe(images[at]);
  });

  test('nothing where it is alone', () => {
    expect(find([images[0]!], '')).toBe(images[0]);
    expect(find([image('a', 'x'), image('a', 'y')], '')?.names).toEqual(['x']);
    expect(find([], '')).toBeUndefined();
  });

  test('no name that is another’s', () => {
    for (const name of ['redis:1.27', '1.27', 'nginx', '@3', sha256('z'), 'a b', `nginx:1.27@${sha256('z')}`]) {
      expect(find(images.slice(0, 1), name)).toBeUndefined();
    }
  });
});

describe('a name that is not enough', () => {
  test('for several images is refused, with the names there are', () => {
    const images = Array.from({ length: 12 }, (_, at) => image(`${at}`, `n${at}`));
    expect(() => find(images, '')).toThrow(
      expect.objectContaining({
        code: 'source-invalid',
        subject: 'a.tar',
        message: 'holds 12 images, but none was named',
        hint: 'put one of these behind the path, after a colon: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 2 more',
      }),
    );
    expect(() => find([image('a'), image('b')], '')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(sha256('a')) }),
    );
  });

  test('since two images claim it is refused', () => {
    // The name that they share would be refused again.
    expect(() => find([image('a', 'x'), image('b', 'x'), image('c', 'y')], 'x')).toThrow(
      expect.objectContaining({
        message: 'holds several images named x',
        hint: `put one of these behind the path, after a colon: ${sha256('a')}, ${sha256('b')}`,
      }),
    );
  });
});

test('a bare tag beside a full name belongs to that name alone', () => {
  const entry = { mediaType: '', digest: sha256(''), size: 0 };
  const names = { 'io.containerd.image.name': 'docker.io/library/nginx:1', 'org.opencontainers.image.ref.name': '1' };
  expect(namesOf({ ...entry, annotations: names })).toEqual(['docker.io/library/nginx:1']);
  expect(namesOf({ ...entry, annotations: { 'org.opencontainers.image.ref.name': '1' } })).toEqual(['1']);
  expect(namesOf(entry)).toEqual([]);
});
