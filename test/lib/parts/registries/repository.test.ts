import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { sha256, verified } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import type { Credentials } from '../../../../lib/parts/registries/credentials.ts';
import type { Repository } from '../../../../lib/parts/registries/index.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { openRepository } from '../../../support/open-repository.ts';
import { dockerRegistry, type SampleImage, sampleImage, selfSigned, user } from '../../../support/registry.ts';

const folder = scratch('distribution');
const open = dockerRegistry(folder);
const guarded = dockerRegistry(folder, { htpasswd: true });

async function push(image: SampleImage, repository: Repository): Promise<{ moved: number; present: number }> {
  const closure = await closureOf(new Manifests(image), image.root);
  const groups = [closure.blobs, ...closure.manifests.map(({ descriptor }) => [descriptor])];
  const transfers = groups.map((group) => group.map((descriptor) => ({ descriptor, source: image })));
  return copy(transfers, repository);
}

function connect(host: string, repository: string, credentials?: Credentials): Promise<Repository> {
  const target = { scheme: 'http', registry: host, repository } as const;
  return openRepository(target, credentials ? { credentials: async () => credentials } : {});
}

function read(repository: Repository, descriptor: Descriptor): Promise<Uint8Array> {
  return collect(verified(repository.open(descriptor), descriptor), descriptor.size);
}

describe('a repository of docker-registry', () => {
  const image = sampleImage('round trip', 700_000);

  judged('takes an index of two platforms and gives it back byte for byte', ['docker-registry', 'skopeo'], async () => {
    const { host } = await open();
    const repository = await connect(host, 'team/web');
    expect(await push(image, repository)).toMatchObject({ moved: image.blobs.size, present: 0 });
    await repository.tag(image.root, image.bytesOf(image.root), '1.0');

    const raw = await ok('skopeo', ['inspect', '--raw', '--tls-verify=false', `docker://${host}/team/web:1.0`]);
    expect(sha256(raw)).toBe(image.root.digest);
    const { root } = image;
    expect(await repository.resolve('1.0')).toEqual(root);
    expect(await repository.resolve(root.digest)).toEqual(root);
    expect(await repository.resolve(`registry.example.com/team/web:1.0@${root.digest}`)).toEqual(root);
    for (const { descriptor, bytes } of image.blobs.values()) {
      expect(Buffer.compare(await read(repository, descriptor), bytes)).toBe(0);
    }
    await repository.close();
  });

  judged('is asked what it has, so that nothing is sent twice', ['docker-registry'], async () => {
    const repository = await connect((await open()).host, 'team/twice');
    await push(image, repository);
    expect(await push(image, repository)).toMatchObject({ moved: 0, movedBytes: 0, present: image.blobs.size });
    expect(await repository.has({ ...image.layer, size: image.layer.size + 1 })).toBe(false);
    await repository.close();
  });

  judged('stores an empty blob', ['docker-registry'], async () => {
    const repository = await connect((await open()).host, 'team/empty');
    const empty = { mediaType: 'application/octet-stream', digest: sha256(''), size: 0 };
    await repository.push(empty, async function* () {});
    expect(await repository.has(empty)).toBe(true);
    expect(await read(repository, empty)).toHaveLength(0);
    await repository.close();
  });

  judged('does not know names that were not pushed', ['docker-registry'], async () => {
    const { host } = await open();
    const repository = await connect(host, 'team/nothing');
    expect(await repository.resolve('1.0')).toBeUndefined();
    expect(await repository.resolve('registry.example.com/other/web:1.0')).toBeUndefined();
    expect(await repository.has(image.root)).toBe(false);
    await expect(read(repository, image.layer)).rejects.toMatchObject({
      code: 'registry-error',
      subject: `${host}/team/nothing`,
      message: expect.stringMatching(
        /^GET http:\/\/127.*\/blobs\/sha256:.* was answered with status 404 \(BLOB_UNKNOWN: /,
      ),
      hint: expect.stringContaining('check the name'),
    });
    await repository.close();
  });

  judged('never keeps a blob whose bytes are wrong', ['docker-registry'], async () => {
    const repository = await connect((await open()).host, 'team/wrong');
    const bytes = Uint8Array.from(image.bytesOf(image.layer));
    bytes[5]! ^= 1;
    const damaged = {
      ...image,
      name: 'damaged',
      open: async function* () {
        yield bytes;
      },
    };
    await expect(copy([[{ descriptor: image.layer, source: damaged }]], repository)).rejects.toMatchObject({
      code: 'content-mismatch',
      side: 'source',
    });
    // And without the check of `copy`, the registry refuses them.
    const refused = repository.push(image.layer, () => damaged.open());
    await expect(refused).rejects.toMatchObject({
      code: 'registry-error',
      message: expect.stringContaining('DIGEST_INVALID'),
    });
    const short = repository.push(image.layer, async function* () {
      yield bytes.subarray(1);
    });
    await expect(short).rejects.toMatchObject({ code: 'size-mismatch' });
    expect(await repository.has(image.layer)).toBe(false);
    await repository.close();
  });

  judged('passes on why a source cannot be read', ['docker-registry'], async () => {
    const repository = await connect((await open()).host, 'team/source');
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield image.bytesOf(image.layer).subarray(0, 10);
      throw Object.assign(new Error('the disk is gone'), { code: 'EIO' });
    };
    await expect(repository.push(image.layer, failing)).rejects.toThrow('the disk is gone');
    await repository.close();
  });

  judged('lets a user in with the right password alone, and never shows a wrong one', ['docker-registry'], async () => {
    const { host } = await guarded();
    const known = await connect(host, 'team/web', user);
    await push(image, known);
    await known.tag(image.root, image.bytesOf(image.root), 'v1');
    expect(await known.resolve('v1')).toEqual(image.root);

    const stranger = await connect(host, 'team/web');
    await expect(stranger.resolve('v1')).rejects.toMatchObject({
      code: 'registry-denied',
      message: expect.stringContaining('status 401'),
      hint: expect.stringContaining('log in'),
    });
    const wrong = await connect(host, 'team/web', { ...user, password: 'letmein123' });
    const refusal = await wrong.has(image.layer).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'registry-denied' });
    expect(`${refusal.stack} ${refusal.message}`).not.toContain('letmein123');
    await expect(wrong.push(image.layer, () => image.open(image.layer))).rejects.toMatchObject({
      code: 'registry-denied',
    });
    await Promise.all([known.close(), stranger.close(), wrong.close()]);
  });
});

describe('a registry with TLS', () => {
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const secure = dockerRegistry(folder, { tls: { certificate, key } });

  judged(
    'is trusted through the authority that was given, and not without',
    ['docker-registry', 'openssl'],
    async () => {
      const subject = ['-subj', '/CN=registry', '-addext', 'subjectAltName=IP:127.0.0.1'];
      await selfSigned(key, certificate, subject);
      const ca = await ok('openssl', ['x509', '-in', certificate]);
      const { host } = await secure();
      const target = { scheme: 'https', registry: host, repository: 'team/web' } as const;
      const image = sampleImage('tls', 300_000);

      const trusted = await openRepository(target, { ca });
      await push(image, trusted);
      expect(Buffer.compare(await read(trusted, image.layer), image.bytesOf(image.layer))).toBe(0);
      await trusted.close();

      const untrusted = await openRepository(target);
      await expect(untrusted.resolve('1')).rejects.toMatchObject({
        code: 'registry-unreachable',
        hint: expect.stringContaining('certificate'),
      });
      await untrusted.close();

      const plain = await openRepository({ ...target, scheme: 'http' });
      await expect(plain.resolve('1')).rejects.toMatchObject({ code: 'registry-error' });
      await plain.close();
      const { host: open_ } = await open();
      const tls = await openRepository({ ...target, registry: open_ });
      await expect(tls.resolve('1')).rejects.toMatchObject({ hint: expect.stringContaining('http://') });
      await tls.close();
    },
  );
});

describe('what cannot be reached', () => {
  test('a port without a registry is named with what to check', async () => {
    const repository = await connect('127.0.0.1:1', 'team/web');
    await expect(repository.resolve('1.0')).rejects.toMatchObject({
      code: 'registry-unreachable',
      message: 'HEAD http://127.0.0.1:1/v2/team/web/manifests/1.0 failed: the connection is refused',
      hint: 'check that a registry listens at 127.0.0.1:1',
    });
    await repository.close();
  });

  test('a host that does not exist is named', async () => {
    const repository = await connect('registry.invalid', 'team/web');
    await expect(repository.resolve('1.0')).rejects.toMatchObject({ code: 'registry-unreachable' });
    await repository.close();
  });

  test('an aborted signal ends a call with its own reason', async () => {
    const repository = await connect('127.0.0.1:1', 'team/web');
    const reason = new Error('enough');
    await expect(repository.resolve('1.0', AbortSignal.abort(reason))).rejects.toBe(reason);
    await repository.close();
  });

  test.each(['Upper/case', 'a//b', '', '../x'])('the repository name %j is refused', async (repository) => {
    const target = { scheme: 'http', registry: 'localhost:5000', repository } as const;
    await expect(openRepository(target)).rejects.toMatchObject({ code: 'usage-invalid' });
  });
});
