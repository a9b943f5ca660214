import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Bytes } from '../../../../formats/bytes.ts';
import { sha256, verified } from '../../../../formats/digest.ts';
import { SolpackError } from '../../../../lib/kernel/events/errors.ts';
import type { SbomLayer } from '../../../../lib/parts/sbom/index.ts';
import { programOf } from '../../../formats/packages/elf.ts';
import { documentOf, layerOf, locationsOf, unreadOf } from '../../../support/layers.ts';
import { makeSbom } from '../../../support/make-sbom.ts';
import { archive, entry } from '../../../support/tar.ts';

const npm = (name: string) =>
  entry(`app/node_modules/${name}/package.json`, { body: JSON.stringify({ name, version: '1.0.0' }) });
const a = npm('a');
const tar = archive(a, npm('b'));
const layer = (bytes: Uint8Array, mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip'): SbomLayer => ({
  mediaType,
  open: () => pieces(bytes),
});
async function* pieces(bytes: Uint8Array): Bytes {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

describe('what cannot be read is said, never left out', () => {
  test.each<[string, Uint8Array, string]>([
    ['is cut', gzipSync(tar).subarray(0, -9), 'unexpected end of file'],
    ['is cut amid a file', tar.subarray(0, a.length + 520), 'ends in the middle of a file'],
    ['has a damaged header', Buffer.concat([a, Buffer.alloc(512, 7)]), 'wrong checksum'],
    ['is followed by something else', Buffer.concat([gzipSync(tar), Buffer.from('more')]), 'incorrect header check'],
  ])('of a layer that %s, of which nothing counts then', async (_, bytes, why) => {
    const document = await documentOf([layerOf(archive(npm('below'))), layer(bytes)]);
    expect(unreadOf(document)).toEqual([expect.stringMatching(new RegExp(`^layer 2 of 2: not read: .*${why}`))]);
    expect(locationsOf(document)).toEqual(['app/node_modules/below/package.json']);
    expect(document.compositions).toMatchObject([{ aggregate: 'incomplete' }]);
  });

  test('of a layer that is no tar archive', async () => {
    const layers = [layer(tar), layer(tar, 'application/vnd.wasm.content.layer.v1+wasm')];
    expect(unreadOf(await documentOf(layers))).toEqual([
      'layer 2 of 2: of the media type application/vnd.wasm.content.layer.v1+wasm, which is not supported',
    ]);
  });

  test('of databases that nobody reads, each kind once', async () => {
    const paths = ['var/lib/rpm/rpmdb.sqlite', 'app/b.jar', 'app/a.jar', 'usr/lib/ruby/specifications/x.gemspec'];
    const document = await documentOf([layerOf(archive(...paths.map((path) => entry(path, { body: 'x' }))))]);
    expect(unreadOf(document)).toEqual([
      'Java archive app/a.jar and 1 more: of a kind that is not supported',
      'Ruby package usr/lib/ruby/specifications/x.gemspec: of a kind that is not supported',
      'rpm database var/lib/rpm/rpmdb.sqlite: of a kind that is not supported',
    ]);
  });

  test('of damaged databases, while the others are read', async () => {
    const damaged = entry('var/lib/dpkg/status', { body: 'nonsense\n' });
    const document = await documentOf([layerOf(archive(damaged, a))]);
    expect(unreadOf(document)).toEqual(['dpkg packages var/lib/dpkg/status: a line "nonsense"']);
    expect(locationsOf(document)).toEqual(['app/node_modules/a/package.json']);
  });

  test('of programs that tell nothing, where no package of a system can have brought them', async () => {
    const program = entry('bin/server', { body: programOf().fill(0, 4096) });
    const packages = entry('var/lib/dpkg/status.d/server', { body: 'Package: server\nVersion: 1\n' });
    expect(
      unreadOf(await documentOf([layerOf(archive(program, entry('bin/other', { body: programOf() }), a))])),
    ).toEqual([
      'go packages bin/other: built without modules, so its dependencies are unknown',
      'program bin/server: does not say what it was built from',
    ]);
    expect(unreadOf(await documentOf([layerOf(archive(program, packages))]))).toEqual([]);
  });

  test('of nothing in an image of which all is read, or that is removed again', async () => {
    const removed = layerOf(archive(entry('var/lib/.wh.rpm')));
    const below = layerOf(archive(entry('var/lib/rpm/Packages', { body: 'x' }), a));
    const document = await documentOf([below, removed]);
    expect(unreadOf(document)).toEqual([]);
    expect(document.compositions).toMatchObject([{ aggregate: 'unknown' }]);
    expect(document.metadata.properties).toEqual([{ name: 'solpack:looked-for', value: 'apk, dpkg, go, npm, python' }]);
  });
});

describe('limits', () => {
  const bomb = archive(entry('zeros', { body: Buffer.alloc(4 * 1024 * 1024) }), npm('late'));

  test.each([
    ['gzip', gzipSync(bomb)],
    ['zstd', zstdCompressSync(bomb)],
  ])('end a layer of %s that becomes too much larger', async (_, bytes) => {
    const document = await documentOf([layer(bytes)], { limits: { free: 1024 * 1024, ratio: 100 } });
    expect(unreadOf(document).join()).toContain('decompresses to more than 100 times its size');
    expect(locationsOf(document)).toEqual([]);
    expect(locationsOf(await documentOf([layer(bytes)]))).toHaveLength(1);
  });

  test('end layers that are larger together than an image may be', async () => {
    const half = { limits: { total: 6 * 1024 * 1024 } };
    expect(unreadOf(await documentOf([layer(gzipSync(bomb)), layer(bomb)], half))).toEqual([
      'layer 2 of 2: not read: more than 6.0 MiB',
    ]);
    expect(unreadOf(await documentOf([layer(bomb), layer(gzipSync(bomb))], half))).toEqual([
      'layer 2 of 2: not read: decompresses to more than 6.0 MiB',
    ]);
  });

  test('end what has too many files, tells too much, or has names that no file system takes', async () => {
    const many = archive(...Array.from({ length: 50 }, (_, at) => npm(`p${at}`)));
    expect(unreadOf(await documentOf([layer(many)], { limits: { entries: 49 } })).join()).toContain(
      'more than 49 files',
    );
    const few = await documentOf([layer(many)], { limits: { kept: 20_000 } });
    expect(unreadOf(few).join()).toContain('more packages than the limit');
    expect(few.components).toEqual([]);
    const path = `path=${'a/'.repeat(2500)}b\n`;
    const deep = archive(entry('pax', { type: 'x', body: `${path.length + 5} ${path}` }), entry('x', { body: 'y' }));
    expect(unreadOf(await documentOf([layer(deep)])).join()).toContain('a name of more than 4096 characters');
  });

  test('of a file are its own: a database too large is not read, and what follows it is', async () => {
    const large = entry('app/node_modules/large/package.json', { body: `"${'x'.repeat(4 * 1024 * 1024)}"` });
    const document = await documentOf([layer(archive(large, a))]);
    expect(unreadOf(document)).toEqual(['npm packages app/node_modules/large/package.json: more than 4.0 MiB']);
    expect(locationsOf(document)).toEqual(['app/node_modules/a/package.json']);
  });
});

describe('a source that fails', () => {
  const image = (open: () => Bytes) => ({
    digest: `sha256:${'0'.repeat(64)}` as const,
    layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', open }],
  });

  test('is reported as it is: its error is not one of the layer', async () => {
    async function* broken(): Bytes {
      yield a;
      throw new SolpackError('registry-unreachable', 'registry.example.com', 'no answer');
    }
    await expect(makeSbom(image(broken))).rejects.toMatchObject({ code: 'registry-unreachable' });
    const wrong = () => verified(pieces(tar), { digest: `sha256:${'1'.repeat(64)}`, size: tar.length });
    await expect(makeSbom(image(wrong))).rejects.toMatchObject({ code: 'digest-mismatch' });
  });

  test('is left when nobody wants the document any more, and closed', async () => {
    const abort = new AbortController();
    let closed = false;
    async function* endless(): Bytes {
      try {
        for (;;) {
          yield a;
          abort.abort(new Error('enough'));
        }
      } finally {
        closed = true;
      }
    }
    await expect(makeSbom(image(endless), { signal: abort.signal })).rejects.toThrow('enough');
    expect(closed).toBe(true);
  });
});

test('reading ends at once when it is interrupted, however much a few bytes become', async () => {
  const metadata = Buffer.alloc(2 ** 20, 'a: b\n');
  const files = Array.from({ length: 20 }, (_, at) => entry(`lib/a${at}.dist-info/METADATA`, { body: metadata }));
  const packed = gzipSync(archive(...files));
  const interrupted = new AbortController();
  const reason = new Error('interrupted');
  async function* open(): Bytes {
    setImmediate(() => interrupted.abort(reason));
    yield packed;
  }
  const made = makeSbom(
    { digest: sha256(packed), layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', open }] },
    { signal: interrupted.signal },
  );
  await expect(made).rejects.toBe(reason);
});
