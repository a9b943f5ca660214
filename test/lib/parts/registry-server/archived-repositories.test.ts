import { describe, expect, test } from 'vitest';
import { memory } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { joinArchives } from '../../../../lib/parts/registry-server/archived-repositories.ts';
import type { ServedContent } from '../../../../lib/parts/registry-server/content.ts';
import { resolveName } from '../../../../lib/parts/registry-server/names.ts';

/** An archive that has, for each reference `registry/repository:tag`, a manifest made of `text`. */
function archive(
  name: string,
  references: readonly [registry: string, repository: string, tag: string][],
  text = name,
): ServedContent {
  const bytes = Buffer.from(text);
  const descriptor = { mediaType: mediaTypes.manifest, digest: sha256(bytes), size: bytes.length };
  return {
    name,
    repositories: references.map(([registry, repository, tag]) => ({
      registry,
      repository,
      tags: new Map([[tag, descriptor]]),
      content: new Map([[descriptor.digest, descriptor]]),
    })),
    read: async () => memory(bytes),
  };
}

/** The tags of the repository that a name finds, or the registries it could be of. */
function find(contents: readonly ServedContent[], name: string, namespace?: string): unknown {
  const repositories = joinArchives(contents);
  const found = resolveName(repositories, name, namespace);
  if (!found) return undefined;
  return 'key' in found ? [...(repositories.get(found.key)?.tags.keys() ?? [])] : found.ambiguous;
}

describe('a name', () => {
  const contents = [
    archive('one.iso', [
      ['docker.io', 'library/nginx', 'hub'],
      ['quay.io', 'team/web', 'quay'],
      ['ghcr.io', 'team/web', 'ghcr'],
      ['localhost', 'web', 'local'],
      ['localhost:5000', 'web2', 'port'],
      ['registry.example.com:5000', 'team/app', 'example'],
      ['mirror.example.com', 'docker.io/library/redis', 'mirrored'],
      ['', 'solutions/guestbook', 'solution'],
    ]),
  ];

  test.each([
    ['library/nginx', 'docker.io', ['hub']],
    ['nginx', 'docker.io', ['hub']],
    ['library/nginx', 'registry-1.docker.io', ['hub']],
    ['team/web', 'quay.io', ['quay']],
    ['team/web', 'GHCR.io', ['ghcr']],
    ['team/app', 'registry.example.com:5000', ['example']],
    ['quay.io/team/web', 'quay.io', ['quay']],
    ['docker.io/library/redis', 'mirror.example.com', ['mirrored']],
    ['library/nginx', 'quay.io', undefined],
    ['quay.io/team/web', 'ghcr.io', undefined],
    ['team/web', '', undefined],
    ['solutions/guestbook', '', undefined],
    ['solutions/guestbook', 'docker.io', undefined],
    ['solutions/guestbook', 'quay.io', undefined],
  ])('%s in the namespace %j', (name, namespace, tags) => {
    expect(find(contents, name, namespace)).toEqual(tags);
  });

  test.each([
    ['docker.io/library/nginx', ['hub']],
    ['docker.io/nginx', ['hub']],
    ['quay.io/team/web', ['quay']],
    ['localhost/web', ['local']],
    ['localhost:5000/web2', ['port']],
    ['localhost_5000/web2', ['port']],
    ['registry.example.com_5000/team/app', ['example']],
    ['library/nginx', ['hub']],
    ['team/app', ['example']],
    ['web', ['local']],
    ['team/web', ['ghcr.io', 'quay.io']],
    ['docker.io/library/redis', undefined],
    ['mirror.example.com/docker.io/library/redis', ['mirrored']],
    ['solutions/guestbook', ['solution']],
    ['guestbook', undefined],
    ['docker.io', undefined],
    ['team', undefined],
    ['', undefined],
    ['/', undefined],
    ['__proto__', undefined],
  ])('%s without a namespace', (name, tags) => {
    expect(find(contents, name)).toEqual(tags);
  });
});

describe('two archives', () => {
  test('join what they have of one repository', () => {
    const contents = [archive('a.iso', [['docker.io', 'a/b', '2']]), archive('b.iso', [['docker.io', 'a/b', '1']])];
    expect(find(contents, 'a/b')).toEqual(['1', '2']);
  });

  test('may have the same image under one reference', () => {
    const contents = ['a.iso', 'b.iso'].map((name) => archive(name, [['docker.io', 'a/b', '1']], 'same'));
    expect(find(contents, 'a/b')).toEqual(['1']);
  });

  test('may have different images under one tag: it stands for that of the first, and each is there by its digest', () => {
    const [first, second] = ['a.iso', 'b.iso'].map((name) => archive(name, [['docker.io', 'a/b', '1']]));
    for (const [one, other] of [
      [first!, second!],
      [second!, first!],
    ] as const) {
      const { tags, content } = joinArchives([one, other]).get('docker.io/a/b')!;
      expect(tags.get('1')).toMatchObject({ archive: one, descriptor: { digest: sha256(one.name) } });
      expect(content.get(sha256(one.name))).toMatchObject({ archive: one });
      expect(content.get(sha256(other.name))).toMatchObject({ archive: other });
    }
  });

  test('may not be the same version of a Solution with different contents', () => {
    const contents = ['a.iso', 'b.iso'].map((name) => archive(name, [['', 'solutions/shop', '1.0.0']]));
    expect(() => joinArchives(contents)).toThrow(
      expect.objectContaining({
        code: 'image-conflict',
        subject: 'solutions/shop:1.0.0',
        message: `solutions/shop:1.0.0 is ${sha256('a.iso')} in a.iso, but ${sha256('b.iso')} in b.iso`,
      }),
    );
  });

  test('have one image alone for a tag, each by itself', () => {
    const [one, other] = ['1', '2'].map((text) => archive('a.iso', [['docker.io', 'a/b', '1']], text));
    const contents = { ...one!, repositories: [...one!.repositories, ...other!.repositories] };
    expect(() => joinArchives([contents])).toThrow(expect.objectContaining({ code: 'image-conflict' }));
  });
});
