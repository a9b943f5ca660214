import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { collect, ring } from '../../formats/bytes.ts';
import { verified as checked } from '../../formats/digest.ts';
import type { Tree, TreeEntry } from '../../formats/tree.ts';
import { list } from '../../lib/flows/browse/index.ts';
import { inspect } from '../../lib/flows/inspect/index.ts';
import type { PackResult } from '../../lib/flows/pack/index.ts';
import { unsignArchive } from '../../lib/flows/sign/index.ts';
import { type Verification, verify } from '../../lib/flows/verify/index.ts';
import { SolpackError } from '../../lib/kernel/events/errors.ts';
import { carriers, listedSignatures, openArchive, planArchive } from '../../lib/parts/archives/index.ts';
import { generateKey, loadPrivateKey, loadPublicKey, trustInKeys } from '../../lib/parts/trust/index.ts';
import { smallSolution } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('archives');
const definition = join(folder, 'solution.toml');
const results = new Map<string, PackResult>();

const pathOf = (extension: string): string => join(folder, `hello${extension}`);

beforeAll(async () => {
  await smallSolution(folder);
  const { privatePem, publicPem } = generateKey('ecdsa-p256-sha256');
  writeFileSync(join(folder, 'a.key'), privatePem);
  writeFileSync(join(folder, 'a.pub'), publicPem);
  const sign = await loadPrivateKey(join(folder, 'a.key'));
  for (const { extension } of Object.values(carriers)) {
    results.set(extension, await packHere(definition, pathOf(extension), { sign }));
  }
});

async function verified(path: string): Promise<Verification> {
  return verify({ archive: path, trust: trustInKeys([await loadPublicKey(join(folder, 'a.pub'))], 0) }, testFlow());
}

/** Findings of a damaged copy, or the code of the error that refuses it. */
async function verdict(path: string): Promise<readonly string[]> {
  try {
    return (await verified(path)).findings.map(({ code }) => code);
  } catch (error) {
    if (error instanceof SolpackError) return [error.code];
    throw error;
  }
}

test('every archive format gives a Solution the same root', () => {
  expect(new Set([...results.values()].map(({ root }) => root)).size).toBe(1);
});

test('what is no image in the root says that it runs nowhere, so that runtimes pass it by', async () => {
  await using archive = await openArchive(pathOf('.tar'));
  for (const { artifactType, platform } of archive.catalog.index.manifests) {
    expect(platform).toEqual(artifactType === undefined ? undefined : { os: 'unknown', architecture: 'unknown' });
  }
});

describe.each(Object.values(carriers).map((carrier) => [carrier.title, carrier] as const))('%s', (_, carrier) => {
  const { extension } = carrier;
  const copy = (name: string): string => {
    const path = join(folder, `${name}${extension}`);
    copyFileSync(pathOf(extension), path);
    return path;
  };

  test('is told apart from every other format by its first bytes', () => {
    for (const other of Object.values(carriers)) {
      const head = readFileSync(pathOf(other.extension)).subarray(0, 65536);
      expect(carrier.sniff(head)).toBe(other.kind === carrier.kind);
    }
    expect(carrier.sniff(new Uint8Array())).toBe(false);
    expect(carrier.sniff(new Uint8Array(65536))).toBe(false);
  });

  test('walks past what has fewer bytes than are asked for, whatever was read of it before', async () => {
    const found = async (tree: Tree, path: string, atLeast?: number): Promise<TreeEntry[]> => {
      const entries: TreeEntry[] = [];
      for await (const entry of tree.walk(path, atLeast)) entries.push(entry);
      return entries;
    };
    await using fresh = await openArchive(pathOf(extension));
    for (const path of ['', 'blobs/sha256']) {
      const large = await found(fresh.tree, path, 1000);
      await using known = await openArchive(pathOf(extension));
      const all = await found(known.tree, path);
      const expected = all.filter(({ type, size }) => type === 'dir' || size >= 1000);
      expect(expected.length).toBeLessThan(all.length);
      expect([large, await found(known.tree, path, 1000)]).toEqual([expected, expected]);
    }
  });

  test('packs to the same bytes again', async () => {
    const again = join(folder, `again${extension}`);
    const sign = await loadPrivateKey(join(folder, 'a.key'));
    await packHere(definition, again, { sign });
    const first = copy('first');
    for (const archive of [again, first]) await unsignArchive({ archive, which: 'all' }, testFlow());
    expect(readFileSync(again).equals(readFileSync(first))).toBe(true);
  });

  test('verifies, with its signer', async () => {
    const result = await verified(pathOf(extension));
    expect(result.findings).toEqual([]);
    expect(result).toMatchObject({ ok: true, trusted: true, name: 'hello', version: '1.0.0' });
  });

  test('tells what is inside', async () => {
    const { components, images, sharedBytes, carrier: kind, size } = await inspect(pathOf(extension), testFlow());
    expect(components.map(({ name, namespace }) => [name, namespace])).toEqual([
      ['base', undefined],
      ['web', 'hello'],
    ]);
    expect(images.map(({ reference, platforms }) => [reference, platforms])).toEqual([
      ['registry.example.com/hello/web:1.0.0', ['linux/amd64', 'linux/arm64']],
      ['registry.example.com/hello/job:1.0.0', ['linux/amd64']],
    ]);
    expect(sharedBytes).toBeGreaterThan(0);
    expect(kind).toBe(carrier.kind);
    expect(size).toBe(statSync(pathOf(extension)).size);
  });

  test('gives content from any byte on, in memory of its own or in the memory that it is given', async () => {
    await using archive = await openArchive(pathOf(extension));
    for (const content of archive.catalog.contents) {
      const whole = await collect(checked(archive.source.open(content), content), content.size);
      for (const offset of [0, 1, content.size - 1, content.size]) {
        for (const into of [undefined, ring(1000, 4)]) {
          const rest = await collect(archive.source.open(content, { offset, into }), content.size);
          expect(Buffer.compare(rest, whole.subarray(offset))).toBe(0);
        }
      }
    }
  });

  test('lists the files that its plan names', async () => {
    await using archive = await openArchive(pathOf(extension));
    const signatures = await listedSignatures(archive, archive.catalog, await archive.slots());
    expect(signatures.map((signature) => signature?.listed)[0]).toBe(carrier.listsSignatures);
    const planned = planArchive(archive.catalog, carrier, signatures).files.map(({ path }) => path);
    const listed: string[] = [];
    for await (const { path, type } of list({ archive: pathOf(extension), path: '', digests: false }, testFlow())) {
      if (type === 'file') listed.push(path);
    }
    expect(listed.sort()).toEqual(planned.sort());
  });

  test('is covered by its plan from the first byte to the last', async () => {
    await using archive = await openArchive(pathOf(extension));
    const { layout } = planArchive(archive.catalog, carrier);
    let at = 0;
    for (const { offset, size, kind, ...segment } of layout.segments) {
      expect(offset).toBe(at);
      if (kind === 'meta') expect('bytes' in segment && segment.bytes().length).toBe(size);
      at += size;
    }
    expect(at).toBe(layout.size);
    expect(layout.size).toBe(statSync(pathOf(extension)).size);
  });

  test('is found out where a byte of any of its pieces is flipped, and inspected without a bug', async () => {
    const path = copy('flipped');
    await using archive = await openArchive(path);
    const file = openSync(path, 'r+');
    const original = readFileSync(path);
    const missed: string[] = [];
    const exempt = (at: number): boolean =>
      carrier.exempt.some(({ offset, size }) => at >= offset && at < offset + size);
    for (const segment of planArchive(archive.catalog, carrier).layout.segments) {
      if (segment.size === 0) continue;
      for (const at of new Set([
        segment.offset,
        segment.offset + (segment.size >> 1),
        segment.offset + segment.size - 1,
      ])) {
        if (exempt(at)) continue;
        writeSync(file, Uint8Array.of(original[at]! ^ 0x20), 0, 1, at);
        if ((await verdict(path)).length === 0)
          missed.push(`${at}: ${segment.kind === 'meta' ? segment.name : segment.key}`);
        await inspect(path, testFlow()).catch((error) => expect(error).toBeInstanceOf(SolpackError));
        writeSync(file, original, at, 1, at);
      }
    }
    closeSync(file);
    expect(missed).toEqual([]);
  });

  test('is found out where it was cut off, anywhere', async () => {
    const size = statSync(pathOf(extension)).size;
    for (const kept of [0, 1, 511, 512, 2048, 32768, 40000, 65536, size >> 1, size - 2048, size - 512, size - 1]) {
      const path = copy('cut');
      truncateSync(path, kept);
      expect(await verdict(path), `${kept} bytes kept`).not.toEqual([]);
    }
  });

  test('is found out where anything follows its end', async () => {
    for (const more of ['x', '\0', '\0'.repeat(4096)]) {
      const path = copy('longer');
      writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from(more)]));
      expect(await verdict(path)).toContain('trailing-data');
    }
  });

  test('that is not signed by a given key is not trusted, however intact', async () => {
    const path = join(folder, `unsigned${extension}`);
    await packHere(definition, path);
    expect(await verified(path)).toMatchObject({ ok: false, trusted: false });
    expect(await verify({ archive: path, trust: undefined }, testFlow())).toMatchObject({
      ok: true,
      trusted: undefined,
    });
  });

  test('leaves nothing behind where a pack fails half way', async () => {
    const path = join(folder, `broken${extension}`);
    const broken = join(folder, `broken-${carrier.kind}`);
    const { web } = await smallSolution(broken);
    const layer = [...web.blobs.keys()][1]!;
    writeFileSync(join(broken, 'images/blobs/sha256', layer.slice(7)), 'something else');
    await expect(packHere(join(broken, 'solution.toml'), path)).rejects.toMatchObject({
      code: 'content-mismatch',
      side: 'source',
    });
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.partial`)).toBe(false);
    expect(existsSync(join(broken, 'solution.lock'))).toBe(false);
  });
});
