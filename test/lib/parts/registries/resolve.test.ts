import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';

import { connect, front, image, manifest, sendManifest } from './front.ts';

describe('resolve', () => {
  test.each([
    ['has no digest in its head', { 'content-type': mediaTypes.index, 'content-length': String(manifest.length) }],
    ['has no length in its head', { 'content-type': mediaTypes.index, 'docker-content-digest': image.root.digest }],
    ['has no type in its head', { 'content-length': '1', 'docker-content-digest': image.root.digest }],
  ])('asks by GET where the answer %s', async (_, headers: Record<string, string>) => {
    const { host, seen } = await front((request, response) => {
      if (request.method === 'HEAD') response.writeHead(200, headers).end();
      else response.setHeader('content-type', `${mediaTypes.index}; charset=utf-8`).end(manifest);
    });
    expect(await (await connect(host)).resolve('1')).toEqual(image.root);
    expect(seen.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
    expect(seen[1]!.headers.accept).toContain(mediaTypes.dockerList);
    expect(seen[1]!.headers['accept-encoding']).toBe('identity');
  });

  test('asks by GET where HEAD is not allowed', async () => {
    const { host } = await front((request, response) => {
      if (request.method === 'HEAD') response.writeHead(405).end();
      else sendManifest(response);
    });
    expect(await (await connect(host)).resolve('1')).toEqual(image.root);
  });

  test('refuses a body that is not what the header, or the name, says', async () => {
    const { host } = await front((request, response) => {
      if (request.method === 'HEAD') response.writeHead(405).end();
      else response.setHeader('docker-content-digest', sha256('other')).end(manifest);
    });
    const repository = await connect(host);
    await expect(repository.resolve('1')).rejects.toMatchObject({ code: 'content-mismatch', subject: sha256('other') });
    await expect(repository.resolve(sha256('x'))).rejects.toMatchObject({ code: 'content-mismatch' });
  });

  test('refuses Docker schema 1, what is not a manifest, and what is too large', async () => {
    let body: Uint8Array = encodeJson({ schemaVersion: 1 });
    let type: string = mediaTypes.dockerSchema1Signed;
    const { host } = await front((request, response) => {
      if (request.method === 'HEAD') response.writeHead(405).end();
      else response.setHeader('content-type', type).end(body);
    });
    const repository = await connect(host);
    const hint = expect.stringContaining('republish');
    await expect(repository.resolve('1')).rejects.toMatchObject({ code: 'image-unsupported', hint });
    type = 'text/html';
    body = Buffer.from('<html>');
    await expect(repository.resolve('1')).rejects.toMatchObject({ code: 'image-unsupported' });
    body = new Uint8Array(5 * 1024 * 1024);
    await expect(repository.resolve('1')).rejects.toMatchObject({
      code: 'image-unsupported',
      message: expect.stringContaining('manifest-too-large'),
    });
  });
});

describe('what a tag stands for, to whoever pushes', () => {
  test.each([
    ['the head says', { 'docker-content-digest': image.root.digest }, ['HEAD']],
    ['the body says where the head does not', {}, ['HEAD', 'HEAD', 'GET']],
  ])('is what %s', async (_, headers: Record<string, string>, asked) => {
    const { host, seen } = await front((request, response) => {
      if (request.method === 'HEAD') response.writeHead(200, headers).end();
      else sendManifest(response);
    });
    expect(await (await connect(host)).tagged('1')).toBe(image.root.digest);
    expect(seen.map(({ method }) => method)).toEqual(asked);
  });

  test('is nothing where there is no such tag', async () => {
    const { host } = await front((_, response) => response.writeHead(404).end());
    expect(await (await connect(host)).tagged('1')).toBeUndefined();
  });
});
