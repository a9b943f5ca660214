import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { collect, once, slice } from '../../../../../formats/bytes.ts';
import { hexOf, sha256 } from '../../../../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../../../../formats/oci/descriptor.ts';
import { encodeManifest, parseManifest } from '../../../../../formats/oci/manifest.ts';
import { openStore, type Store } from '../../../../../lib/parts/registry-server/index.ts';
import { scratch } from '../../../../support/judges.ts';

const folder = scratch('store');
const opened: Store[] = [];
let number = 0;

const fresh = (): string => join(folder, String(++number));

async function open(path: string, problems: unknown[] = []): Promise<Store> {
  const store = await openStore(path, (problem) => problems.push(problem));
  opened.push(store);
  return store;
}

async function close(store: Store): Promise<void> {
  opened.splice(opened.indexOf(store), 1);
  await store[Symbol.asyncDispose]();
}

afterEach(async () => {
  await Promise.all(opened.map(close));
});

async function push(store: Store, key: string, text: string): Promise<Descriptor> {
  const bytes = Buffer.from(text);
  const upload = await store.begin(key, 'sha256');
  await upload.alone(async () => {
    await upload.append(once(bytes));
    await store.finish(upload, sha256(bytes));
  });
  return { mediaType: mediaTypes.layer, digest: sha256(bytes), size: bytes.length };
}

async function tag(store: Store, key: string, name: string, layers: readonly Descriptor[]): Promise<Descriptor> {
  const config = await push(store, key, '{}');
  const bytes = encodeManifest({ config, layers });
  const descriptor = { mediaType: mediaTypes.manifest, digest: sha256(bytes), size: bytes.length };
  await store.putManifest(key, { descriptor, bytes, value: parseManifest(bytes) }, [name]);
  return descriptor;
}

const read = async (store: Store, descriptor: Descriptor): Promise<string> => {
  const content = await store.read(descriptor);
  try {
    return Buffer.from(await collect(slice(content, 0, content.size), 1000)).toString();
  } finally {
    await content.close?.();
  }
};
const blobFile = (path: string, { digest }: Descriptor): string => join(path, 'blobs/sha256', hexOf(digest));

describe('a store', () => {
  test('that is opened again has what it had', async () => {
    const path = fresh();
    const first = await open(path);
    const layer = await push(first, 'docker.io/library/web', 'layer');
    const manifest = await tag(first, 'docker.io/library/web', 'v1', [layer]);
    await tag(first, 'localhost:5000/web', 'v2', [await push(first, 'localhost:5000/web', 'other')]);
    await close(first);
    const again = await open(path);
    const web = again.get('docker.io/library/web')!;
    expect([...web.tags]).toEqual([['v1', manifest.digest]]);
    expect(web.manifests.get(manifest.digest)?.descriptor).toEqual(manifest);
    expect(web.blobs.get(layer.digest)?.size).toBe(5);
    expect(await read(again, layer)).toBe('layer');
    expect([...again.get('localhost:5000/web')!.tags.keys()]).toEqual(['v2']);
    expect(again.registries('library/web')).toEqual(['docker.io']);
  });

  test('that is opened again has each repository by its own name, whatever its host is called', async () => {
    const path = fresh();
    const first = await open(path);
    const keys = ['host:5000/web', 'host_5000/web', 'host.example.com:5000/web', 'localhost:5000/web'];
    for (const key of keys) await tag(first, key, 'v1', [await push(first, key, key)]);
    const digests = (store: Store): unknown[] => keys.map((key) => store.get(key)?.tags.get('v1'));
    const before = digests(first);
    await close(first);
    expect(digests(await open(path))).toEqual(before);
    expect(new Set(before).size).toBe(keys.length);
  });

  test('is for one process at a time, and for the next once that has ended', async () => {
    const path = fresh();
    const store = await open(path);
    await expect(openStore(path)).rejects.toMatchObject({ code: 'store-busy', subject: path });
    await close(store);
    await open(path);
  });

  test('has a path of any length', async () => {
    const path = join(fresh(), 'a'.repeat(100), 'b'.repeat(100));
    const store = await open(path);
    await expect(openStore(path)).rejects.toMatchObject({ code: 'store-busy' });
    expect(store.facts()).toEqual({ blobs: 0, uploads: 0 });
  });

  test('that cannot be written is told of', async () => {
    const path = fresh();
    writeFileSync(path, 'a file');
    await expect(openStore(path)).rejects.toMatchObject({ code: 'output-unwritable' });
  });

  test('keeps content once, and as long as a repository has it', async () => {
    const path = fresh();
    const store = await open(path);
    const layer = await push(store, 'one', 'shared');
    expect(await store.mount('two', layer.digest)).toBe(true);
    await push(store, 'three', 'shared');
    expect(store.facts().blobs).toBe(1);
    for (const key of ['one', 'two', 'three']) {
      expect(existsSync(blobFile(path, layer))).toBe(true);
      await store.removeBlob(key, layer.digest);
    }
    expect(existsSync(blobFile(path, layer))).toBe(false);
    expect(store.facts().blobs).toBe(0);
  });

  test('lets what is being read be read to its end', async () => {
    const store = await open(fresh());
    const layer = await push(store, 'one', 'read on');
    const content = await store.read(layer);
    await store.removeBlob('one', layer.digest);
    expect(Buffer.from(await content.read(0, 7)).toString()).toBe('read on');
    await content.close?.();
  });
});

describe('after a process was killed', () => {
  test('uploads, and content that no repository has, are taken away', async () => {
    const path = fresh();
    const store = await open(path);
    const layer = await push(store, 'one', 'kept');
    await close(store);
    writeFileSync(join(path, 'uploads/half'), 'half of a blob');
    const orphan = blobFile(path, { ...layer, digest: sha256('orphan') });
    writeFileSync(orphan, 'orphan');
    writeFileSync(join(path, 'lock'), '');
    const again = await open(path);
    expect(readdirSync(join(path, 'uploads'))).toEqual([]);
    expect(existsSync(orphan)).toBe(false);
    expect(await read(again, layer)).toBe('kept');
  });

  test('a tag whose manifest has gone is gone as well', async () => {
    const path = fresh();
    const store = await open(path);
    await tag(store, 'one', 'v1', []);
    await close(store);
    writeFileSync(join(path, 'repositories/one/_tags/v2'), sha256('gone'));
    writeFileSync(join(path, 'repositories/one/_tags/v3'), '');
    expect([...(await open(path)).get('one')!.tags.keys()]).toEqual(['v1']);
    expect(readdirSync(join(path, 'repositories/one/_tags'))).toEqual(['v1']);
  });

  test('what is damaged is told of and left out, and the rest is there', async () => {
    const path = fresh();
    const store = await open(path);
    const bad = await tag(store, 'one', 'bad', [await push(store, 'one', 'layer of bad')]);
    const good = await tag(store, 'one', 'good', [await push(store, 'one', 'layer of good')]);
    await close(store);
    writeFileSync(blobFile(path, bad), '{}');
    mkdirSync(join(path, 'repositories/NOT_A_NAME/_tags'), { recursive: true });
    const problems: unknown[] = [];
    const again = await open(path, problems);
    expect(String(problems)).toContain(`lacks ${bad.digest} of one, or its content is damaged`);
    expect([...again.get('one')!.tags]).toEqual([['good', good.digest]]);
    expect(again.has('NOT_A_NAME')).toBe(false);
  });
});

describe('sweeping', () => {
  const later = (): number => Date.now() + 60_000;

  test('takes blobs that no manifest names, and uploads that stand still, once they are old enough', async () => {
    const path = fresh();
    const store = await open(path);
    const named = await push(store, 'one', 'named');
    const loose = await push(store, 'one', 'loose');
    await tag(store, 'one', 'v1', [named]);
    const upload = await store.begin('one', 'sha256');
    await store.sweep(Date.now() - 60_000);
    expect([existsSync(blobFile(path, loose)), store.upload('one', upload.id)]).toEqual([true, upload]);
    await store.sweep(later());
    expect([existsSync(blobFile(path, loose)), store.upload('one', upload.id)]).toEqual([false, undefined]);
    expect(readdirSync(join(path, 'uploads'))).toEqual([]);
    expect(await read(store, named)).toBe('named');
  });

  test('takes the layers of a manifest that was deleted', async () => {
    const path = fresh();
    const store = await open(path);
    const layer = await push(store, 'one', 'layer');
    const manifest = await tag(store, 'one', 'v1', [layer]);
    await store.removeManifest('one', manifest.digest);
    await store.sweep(later());
    expect(store.facts()).toEqual({ blobs: 0, uploads: 0 });
    expect(readdirSync(join(path, 'blobs/sha256'))).toEqual([]);
  });
});
