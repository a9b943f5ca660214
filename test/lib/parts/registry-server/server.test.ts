import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect, type ReadAt } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';
import type { ServedContent } from '../../../../lib/parts/registry-server/content.ts';
import { startRegistry } from '../../../../lib/parts/registry-server/index.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { openRepository } from '../../../support/open-repository.ts';
import { eventually } from '../../../support/until.ts';
import { call, image, layer, layerPath, other, registry, sbom, served, shareRegistry, signature } from './shelf.ts';

shareRegistry();

const folder = scratch('embedded');

describe('many and slow clients', () => {
  test('64 clients pull at once, and all get the same bytes', async () => {
    const before = registry.stats();
    const digests = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const headers: Record<string, string> = index % 4 === 0 ? { range: 'bytes=0-' } : {};
        return sha256((await call(layerPath, { headers })).body);
      }),
    );
    expect(new Set(digests)).toEqual(new Set([image.layer.digest]));
    const after = registry.stats();
    expect(after.requests - before.requests).toBe(64);
    expect(after.bytes - before.bytes).toBe(64 * layer.length);
  });

  test('what a client does not take is not read, and what it leaves is let go', async () => {
    const size = 512 * 1024 * 1024;
    const digest = sha256('never reached');
    let read = 0;
    const zeros: ReadAt = {
      size,
      read: async (_, length) => {
        read += length;
        return new Uint8Array(length);
      },
    };
    const descriptor = { mediaType: mediaTypes.layer, digest, size };
    const content: ServedContent = {
      name: 'large.iso',
      repositories: [
        { registry: 'docker.io', repository: 'a/b', tags: new Map(), content: new Map([[digest, descriptor]]) },
      ],
      read: async () => zeros,
    };
    const large = await startRegistry([content], { host: '127.0.0.1', port: 0 });
    const { hostname, port } = new URL(large.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /v2/a/b/blobs/${digest} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await new Promise((settle) => socket.once('readable', settle));
    socket.pause();
    // Reading stops once the buffers between the two are full, wherever that is.
    let last = -1;
    await eventually(() => {
      const same = read === last;
      last = read;
      return same;
    }).toBe(true);
    expect(read).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
    await large.close();
    const end = read;
    await call('/v2/');
    expect(read).toBe(end);
  });
});

describe('start and end', () => {
  test('a port that is taken is named', async () => {
    const port = Number(new URL(registry.url).port);
    await expect(startRegistry([], { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'listen-failed',
      subject: `127.0.0.1:${port}`,
      message: expect.stringContaining('another program uses it'),
    });
    await expect(startRegistry([], { host: '192.0.2.1', port: 0 })).rejects.toMatchObject({ code: 'listen-failed' });
  });

  test('archives that are the same version of a Solution and differ are not served', async () => {
    const contents = [
      served('one.iso', [['', 'solutions/a', ['1.0.0'], image]]),
      served('two.iso', [['', 'solutions/a', ['1.0.0'], other]]),
    ];
    await expect(startRegistry(contents, { host: '127.0.0.1', port: 0 })).rejects.toMatchObject({
      code: 'image-conflict',
    });
  });

  test('a signal ends it, and closing twice does no harm', async () => {
    const controller = new AbortController();
    const own = await startRegistry([], { host: '127.0.0.1', port: 0, signal: controller.signal });
    expect((await call('/healthz', { at: own.url })).status).toBe(200);
    controller.abort();
    await own.close();
    await own.close();
    await expect(call('/healthz', { at: own.url })).rejects.toMatchObject({ code: expect.stringMatching(/ECONN/) });
  });

  test('IPv6 is served as well', async () => {
    const own = await startRegistry([], { host: '::1', port: 0 });
    expect(own.url).toMatch(/^http:\/\/\[::1\]:[0-9]+$/);
    expect((await call('/healthz', { at: own.url })).status).toBe(200);
    await own.close();
  });
});

describe('clients of the field', () => {
  judged('skopeo copies an image with all of its platforms', ['skopeo'], async () => {
    const { host } = new URL(registry.url);
    for (const name of ['library/web:1.0', 'docker.io/library/web:1.0', `library/web@${image.root.digest}`]) {
      const target = join(folder, sha256(name).slice(7, 20));
      await ok('skopeo', ['copy', '--all', '--src-tls-verify=false', `docker://${host}/${name}`, `dir:${target}`]);
      expect(sha256(await ok('cat', [join(target, 'manifest.json')]))).toBe(image.root.digest);
    }
    const layout = join(folder, 'layout');
    await ok('skopeo', [
      'copy',
      '--all',
      '--src-tls-verify=false',
      `docker://${host}/library/web:1.0`,
      `oci:${layout}:1.0`,
    ]);
    expect(sha256(await ok('skopeo', ['inspect', '--raw', `oci:${layout}:1.0`]))).toBe(image.root.digest);
    const tags = JSON.parse(await ok('skopeo', ['list-tags', '--tls-verify=false', `docker://${host}/library/web`]));
    expect(tags.Tags).toEqual(['1.0', 'C', 'a', 'b']);
  });

  judged('oras copies an image and discovers what refers to it', ['oras'], async () => {
    const { host } = new URL(registry.url);
    await ok('oras', [
      'cp',
      '-r',
      '--from-plain-http',
      `${host}/library/web:1.0`,
      '--to-oci-layout',
      `${join(folder, 'oras')}:1.0`,
    ]);
    const tree = await ok('oras', ['discover', '--plain-http', `${host}/library/web:1.0`]);
    expect(tree).toContain(sbom.descriptor.digest);
    expect(tree).toContain(signature.descriptor.digest);
  });

  test('the own client reads every byte', async () => {
    const target = { scheme: 'http', registry: new URL(registry.url).host, repository: 'library/web' } as const;
    const repository = await openRepository(target);
    expect(await repository.resolve('1.0')).toEqual(image.root);
    expect(Buffer.compare(await collect(repository.open(image.layer), layer.length), layer)).toBe(0);
    await expect(repository.push(image.layer, () => image.open(image.layer))).rejects.toMatchObject({
      code: 'registry-error',
      message: expect.stringContaining('405 (UNSUPPORTED'),
      hint: expect.stringContaining('read-only'),
    });
    await repository.close();
  });
});
