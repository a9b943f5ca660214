import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Digest } from '../../../../formats/digest.ts';
import type { TreeEntry } from '../../../../formats/tree.ts';
import { likelyBlobs } from '../../../../lib/flows/verify/hash-blobs.ts';
import { type Verification, verify } from '../../../../lib/flows/verify/index.ts';
import type { Event } from '../../../../lib/kernel/events/events.ts';
import { openArchiveFile } from '../../../../lib/parts/archives/index.ts';
import { smallSolution, writeFiles } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('verify-early');

/** Bytes from which on threads hash a blob. */
const SMALL = 64 * 1024;

/** Large enough for threads. */
const large = Buffer.alloc(20 * 1024 * 1024, 'content of a large file; ');

beforeAll(async () => {
  await smallSolution(folder);
  const definition = join(folder, 'solution.toml');
  const more = '[[components]]\nname = "large"\nkind = "kustomize"\npath = "large"\n';
  writeFiles(folder, {
    'large/kustomization.yaml': 'resources: []\n',
    'large/data.bin': large,
    'solution.toml': `${readFileSync(definition, 'utf8')}\n${more}`,
  });
  for (const kind of ['iso', 'tar']) await packHere(definition, join(folder, `good.${kind}`));
});

/** Verifies the archive at `path`; tells how many bytes were said to be done as well. */
async function verified(path: string): Promise<Verification & { done: number }> {
  let done = 0;
  const onEvent = (event: Event): void => {
    if (event.type === 'progress' && event.step === 'verify') done = event.done;
  };
  return { ...(await verify({ archive: path, trust: undefined }, { ...testFlow(), onEvent })), done };
}

describe.each(['iso', 'tar'])('a large %s, whose blobs are hashed before its root is read', (kind) => {
  const good = join(folder, `good.${kind}`);
  const bad = join(folder, `bad.${kind}`);

  /** A copy in which the byte that `find` gives the place of is another. */
  function damaged(find: (bytes: Buffer) => number): void {
    const bytes = readFileSync(good);
    bytes[find(bytes)]! ^= 1;
    writeFileSync(bad, bytes);
  }

  test('has every byte read once, and those of its slots never', async () => {
    const { ok, size, done } = await verified(good);
    expect(ok).toBe(true);
    expect([done <= size, done > size * 0.97]).toEqual([true, true]);
  });

  test('has every blob that its root names hashed that early, but small ones', async () => {
    await using archive = await openArchiveFile(good);
    const likely = new Set((await likelyBlobs(archive)).map(({ digest }) => digest));
    const { contents } = archive.catalog;
    const left = contents.filter(({ digest }) => !likely.has(digest)).map(({ size }) => size);
    expect([likely.size > 0, left.every((size) => size < SMALL)]).toEqual([true, true]);
  });

  test('is told apart where a byte in the middle of a blob is another', async () => {
    damaged((bytes) => bytes.indexOf(large.subarray(0, 1024)) + large.length / 2);
    const { ok, findings } = await verified(bad);
    expect(ok).toBe(false);
    expect(findings).toMatchObject([
      { code: 'blob-mismatch', message: expect.stringMatching(/^components\/\S+: the 20\.0 MiB at byte \d+ /) },
    ]);
  });
});

test('of a large ISO whose root is damaged every blob is told apart all the same', async () => {
  const bytes = readFileSync(join(folder, 'good.iso'));
  await using archive = await openArchiveFile(join(folder, 'good.iso'));
  const entry = await archive.tree.lookup('.solpack/root.json');
  bytes[entry!.extents[0]!.offset]! ^= 1;
  bytes[bytes.indexOf(large.subarray(0, 1024)) + 5_000_000]! ^= 1;
  const bad = join(folder, 'bad-root.iso');
  writeFileSync(bad, bytes);
  const { findings } = await verified(bad);
  // The root is a blob as well.
  expect(findings.map(({ code }) => code)).toEqual(['root-invalid', 'blob-mismatch', 'blob-mismatch']);
});

test('a large ISO that is cut in a blob is told apart', async () => {
  const cut = join(folder, 'cut.iso');
  copyFileSync(join(folder, 'good.iso'), cut);
  truncateSync(cut, readFileSync(cut).indexOf(large.subarray(0, 1024)) + 5_000_000);
  const { ok, findings } = await verified(cut);
  expect([ok, findings.map(({ code }) => code)]).toEqual([false, ['truncated']]);
});

describe('likelyBlobs', () => {
  const digest: Digest = `sha256:${'a'.repeat(64)}`;
  const entry = (fields: Partial<TreeEntry>): TreeEntry => {
    const extents = [{ offset: 2048, size: SMALL }];
    return { path: `blobs/sha256/${digest.slice(7)}`, type: 'file', size: SMALL, mode: 0o644, extents, ...fields };
  };

  /** What is likely of an archive of a million bytes that has `entries`. */
  async function likely(...entries: TreeEntry[]): Promise<unknown> {
    return likelyIn(1_000_000, entries);
  }

  async function likelyIn(size: number, entries: readonly TreeEntry[]): Promise<unknown> {
    await using archive = await openArchiveFile(join(folder, 'good.iso'));
    const walk = async function* (path = '', atLeast = 0): AsyncGenerator<TreeEntry> {
      yield* entries.filter((one) => one.path.startsWith(path) && one.size >= atLeast);
    };
    const file = { ...archive.file, size };
    return likelyBlobs({ ...archive, file, tree: { walk, lookup: async () => undefined } });
  }

  test('takes files for blobs whose names are digests, in one piece', async () => {
    const pieces = {
      size: 300_000,
      extents: [
        { offset: 2048, size: 100_000 },
        { offset: 102_048, size: 200_000 },
      ],
    };
    expect(await likely(entry(pieces))).toEqual([{ digest, offset: 2048, size: 300_000 }]);
    const apart = {
      size: 300_000,
      extents: [
        { offset: 2048, size: 100_000 },
        { offset: 104_096, size: 200_000 },
      ],
    };
    expect(await likely(entry(apart), entry({ path: 'blobs/sha256/none' }), entry({ type: 'symlink' }))).toEqual([]);
  });

  test('leaves out small ones', async () => {
    expect(await likely(entry({}))).toHaveLength(1);
    expect(await likely(entry({ size: SMALL - 1, extents: [{ offset: 2048, size: SMALL - 1 }] }))).toEqual([]);
  });

  test('takes none where there are so many that they would fill the memory', async () => {
    const many = (count: number): TreeEntry[] => Array.from({ length: count }, () => entry({}));
    expect(await likelyIn(2 ** 40, many(16_384))).toHaveLength(16_384);
    expect(await likelyIn(2 ** 40, many(16_385))).toEqual([]);
  });

  test('takes none where files overlap so much that they are larger than the archive, or end outside of it', async () => {
    const whole = entry({ size: 600_000, extents: [{ offset: 2048, size: 600_000 }] });
    expect(await likely(whole)).toHaveLength(1);
    expect(await likely(whole, whole)).toEqual([]);
    expect(await likely(entry({ extents: [{ offset: 950_000, size: SMALL }] }))).toEqual([]);
  });
});
