import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { type FolderForm, imageFolder, type NodeStore, nodeStoreAt } from '../../../../lib/parts/node-images/index.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { nodeImage } from '../../../support/node-images.ts';

const top = scratch('image-folders');
const web = nodeImage('registry.example.com/shop/web:1.0.0', ['linux/amd64', 'linux/arm64']);
const job = nodeImage('registry.example.com/shop/job:1.0.0');
let folders = 0;

function fresh(way: string, form: FolderForm = 'tar'): { readonly folder: string; readonly store: NodeStore } {
  const folder = join(top, `${++folders}/agent/images`);
  return { folder, store: nodeStoreAt({ way, place: folder, form })! };
}

const put = (store: NodeStore, images = [web, job]) => store.put(images, 'edge', testFlow());

/**
 * What k3s imports of a folder, and tries again when that changes: its `isFileSupported` of 2025, and the list of
 * wharfie's tarfile.
 */
const taken = ['.tar', '.tar.lz4', '.tar.bz2', '.tbz', '.tar.gz', '.tgz', '.tar.zst', '.tzst', '.txt'];
const isTakenByK3s = (name: string): boolean => taken.some((ending) => name.endsWith(ending));

/** What k0s imports: everything, whatever it is called, as a plain tar. */
const isTakenByK0s = (): boolean => true;

/** The names that an archive gives to what it holds, as containerd reads them, and the paths in it. */
async function namesIn(path: string): Promise<{ readonly names: string[]; readonly blobs: number }> {
  const index = JSON.parse(await ok('tar', ['xOf', path, 'index.json']));
  const paths = (await ok('tar', ['tf', path])).trim().split('\n');
  return {
    names: index.manifests.map(
      (one: { annotations: Record<string, string> }) => one.annotations['io.containerd.image.name'],
    ),
    blobs: paths.filter((one) => one.startsWith('blobs/sha256/')).length,
  };
}

describe('a folder of images', () => {
  test.each([
    ['k3s', 'tar', isTakenByK3s],
    ['k3s', 'tar.zst', isTakenByK3s],
    ['k3s', 'txt', isTakenByK3s],
    ['rke2', 'tar', isTakenByK3s],
    ['k0s', 'tar', isTakenByK0s],
  ] as const)(
    'of %s gets whole files alone by %s, and nothing else that would be imported',
    async (way, form, isTaken) => {
      const { folder, store } = fresh(way, form);
      mkdirSync(folder, { recursive: true });
      const sizes = new Map<string, number[]>();
      const watcher = watch(folder, (_, name) => {
        const size = name === null ? undefined : statSync(join(folder, name), { throwIfNoEntry: false })?.size;
        if (size !== undefined) sizes.set(name!, [...(sizes.get(name!) ?? []), size]);
      });
      await put(store);
      // Clock: events of the file system come a moment later.
      await pause(50);
      watcher.close();
      expect([...sizes.keys()].sort()).toEqual(readdirSync(folder).sort());
      for (const [name, seen] of sizes)
        expect([isTaken(name), new Set(seen)]).toEqual([true, new Set([statSync(join(folder, name)).size])]);
    },
  );

  test('is left as it is where all is there, also in its dates, and its bytes are the same each time', async () => {
    const [one, two] = [fresh('k3s'), fresh('k3s')];
    await put(one.store);
    const dates = readdirSync(one.folder).map((name) => statSync(join(one.folder, name)).mtimeMs);
    expect(await put(one.store)).toEqual({ lacking: [], present: 4, moved: [] });
    expect(readdirSync(one.folder).map((name) => statSync(join(one.folder, name)).mtimeMs)).toEqual(dates);
    await put(two.store, [job, web]);
    const bytes = (folder: string): string[] =>
      readdirSync(folder).map((name) => `${name} ${sha256(readFileSync(join(folder, name)))}`);
    expect(bytes(two.folder)).toEqual(bytes(one.folder));
  });

  judged(
    'names images by tag for k3s, and by digest in a file that comes behind it; by both for k0s',
    ['tar'],
    async () => {
      const [k3s, k0s] = [fresh('k3s'), fresh('k0s')];
      await put(k3s.store, [web]);
      await put(k0s.store, [web]);
      const byDigest = `registry.example.com/shop/web@${web.digest}`;
      const files = readdirSync(k3s.folder).sort();
      const found = await Promise.all(files.map((name) => namesIn(join(k3s.folder, name))));
      expect(found).toEqual([
        { names: [web.reference], blobs: web.contents.length },
        { names: [byDigest], blobs: 0 },
      ]);
      const [only] = readdirSync(k0s.folder);
      expect(await namesIn(join(k0s.folder, only!))).toEqual({
        names: [web.reference, byDigest],
        blobs: web.contents.length,
      });
    },
  );

  test('has the same archive compressed, and a list with digests and without tags', async () => {
    const [plain, zst, list] = [fresh('k3s'), fresh('k3s', 'tar.zst'), fresh('k3s', 'txt')];
    await put(plain.store, [job]);
    await put(zst.store, [job]);
    await put(list.store);
    const tar = readdirSync(plain.folder).find((name) => !name.includes('digest'))!;
    expect(zstdDecompressSync(readFileSync(join(zst.folder, `${tar}.zst`)))).toEqual(
      readFileSync(join(plain.folder, tar)),
    );
    const [txt] = readdirSync(list.folder);
    expect(readFileSync(join(list.folder, txt!), 'utf8')).toBe(
      `registry.example.com/shop/job@${job.digest}\nregistry.example.com/shop/web@${web.digest}\n`,
    );
  });

  test('never loses a file of somebody else, and none that another configuration needs', async () => {
    const { folder, store } = fresh('k3s');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'solpack-mine.tar'), 'mine');
    await put(store);
    await store.put([web], 'other', testFlow());
    const removed = await store.retain({ user: 'edge', present: [], keep: [] }, testFlow());
    expect(removed.every((path) => path.includes('solpack-job'))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes('job'))).toEqual([]);
    await store.retain({ user: 'other', present: [], keep: [] }, testFlow());
    expect(readdirSync(folder)).toEqual(['solpack-mine.tar']);
  });

  test('refuses a name that somebody else has taken, and changes nothing', async () => {
    const { folder, store } = fresh('k3s');
    const { lacking } = await store.foreseePut([job], 'edge', testFlow());
    mkdirSync(folder, { recursive: true });
    writeFileSync(lacking[0]!.subject, 'theirs');
    await expect(put(store, [job])).rejects.toMatchObject({ code: 'output-exists', subject: lacking[0]!.subject });
    expect([readdirSync(folder).length, readFileSync(lacking[0]!.subject, 'utf8')]).toEqual([1, 'theirs']);
  });

  test('tells which images are not there any longer, and gets them again', async () => {
    const { folder, store } = fresh('rke2');
    await put(store);
    expect(await store.lacks([web, job], testFlow())).toEqual(new Map());
    rmSync(join(folder, readdirSync(folder).find((name) => name.includes('web'))!));
    expect([...(await store.lacks([web, job], testFlow())).keys()]).toEqual([web]);
    expect((await put(store)).lacking).toHaveLength(1);
    expect(await store.lacks([web, job], testFlow())).toEqual(new Map());
  });

  test('is completed by the next run where one was ended within a file', async () => {
    const { folder, store } = fresh('k3s');
    const broken = {
      ...job,
      source: {
        ...job.source,
        open: () => {
          throw new Error('gone');
        },
      },
    };
    await expect(put(store, [web, broken])).rejects.toThrow('gone');
    expect(readdirSync(folder).every((name) => name.includes('web'))).toBe(true);
    await put(store);
    expect([readdirSync(folder).length, (await put(store)).lacking]).toEqual([4, []]);
  });

  test('holds no file whose content is not what its digest says', async () => {
    const { folder, store } = fresh('k0s');
    const other = {
      ...job,
      source: web.source,
      contents: job.contents.map((one, index) => ({ ...web.contents[index]!, digest: one.digest })),
    };
    await expect(put(store, [other])).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('says what is wrong with what is remembered of it', async () => {
    const { folder, store } = fresh('k3s');
    await put(store);
    for (const text of [
      '',
      '{',
      '[]',
      '{"version": 2, "things": {}}',
      '{"version": 1, "things": {"a": {"for": {"x": -1}}}}',
    ]) {
      writeFileSync(join(folder, '../.solpack-images/record.json'), text);
      await expect(put(store)).rejects.toMatchObject({ code: 'image-record-invalid' });
    }
  });
});

test('a folder is named by its distribution, and by a path where it is not the usual one', () => {
  expect(imageFolder({ name: 'k0s', form: 'tar', cwd: '/work' }).place).toBe('/var/lib/k0s/images');
  expect(imageFolder({ name: 'rke2:images', form: 'tar.zst', cwd: '/home' }).place).toBe('/home/images');
  expect(() => imageFolder({ name: 'k0s', form: 'txt', cwd: '/' })).toThrow('is not a form that k0s accepts');
  expect(() => imageFolder({ name: 'docker', form: 'tar', cwd: '/' })).toThrow('is not a known folder of images');
});
