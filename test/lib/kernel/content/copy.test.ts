import { describe, expect, test } from 'vitest';
import { type Bytes, collect, fleeting, memory, once, slice } from '../../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex } from '../../../../formats/oci/manifest.ts';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import { closureOf, fetchManifest, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import type { ContentSource, ContentTarget, OpenOptions } from '../../../../lib/kernel/content/model.ts';
import type { Transfer } from '../../../../lib/kernel/content/move.ts';
import { buildImage, type TestImage } from '../../../support/image.ts';
import { noise } from '../../../support/registry.ts';

const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'] });

/** A source in memory. */
function sourceOf(blobs: TestImage['blobs'], name = 'the source'): ContentSource {
  return {
    name,
    async *open({ digest }, { offset = 0 } = {}) {
      const bytes = blobs.get(digest);
      if (!bytes) throw new FormatError('truncated', 'not there');
      for (let at = offset; at < bytes.length; at += 64) yield bytes.subarray(at, at + 64);
    },
  };
}

/** A target in memory, which notes what was pushed, in order. */
function targetOf(
  blobs = new Map<Digest, Uint8Array>(),
): ContentTarget & { pushed: Digest[]; blobs: Map<Digest, Uint8Array> } {
  const pushed: Digest[] = [];
  return {
    name: 'the target',
    blobs,
    pushed,
    has: async ({ digest }) => blobs.has(digest),
    push: async ({ digest, size }, read) => {
      const whole = await collect(read(), size);
      pushed.push(digest);
      blobs.set(digest, whole);
    },
  };
}

const groupsOf = async (source: ContentSource, root: Descriptor): Promise<Transfer[][]> => {
  const { manifests, blobs } = await closureOf(new Manifests(source), root);
  return [
    blobs.map((descriptor) => ({ descriptor, source })),
    ...manifests.map(({ descriptor }) => [{ descriptor, source }]),
  ];
};

describe('the closure of an image', () => {
  test('has every manifest before its parents, and every blob once', async () => {
    const { manifests, blobs } = await closureOf(new Manifests(sourceOf(image.blobs)), image.index);
    expect(manifests.map(({ descriptor }) => descriptor.digest)).toEqual(
      [...image.manifests, image.index].map(({ digest }) => digest),
    );
    expect(blobs.length).toBe(5);
    expect(new Set([...blobs, ...manifests.map(({ descriptor }) => descriptor)].map(({ digest }) => digest))).toEqual(
      new Set(image.blobs.keys()),
    );
  });

  test('follows only what is to be kept', async () => {
    const keep =
      () =>
      ({ platform }: Descriptor) =>
        platform?.architecture === 'arm64';
    const { manifests, blobs } = await closureOf(new Manifests(sourceOf(image.blobs)), image.index, { keep });
    expect(manifests.map(({ descriptor }) => descriptor.digest)).toEqual([
      image.manifests[1]!.digest,
      image.index.digest,
    ]);
    expect(blobs.length).toBe(3);
  });

  test('is refused where indexes are nested too deep', async () => {
    const blobs = new Map(image.blobs);
    let root = image.index;
    for (let depth = 0; depth < 12; depth += 1) {
      const bytes = encodeIndex({ manifests: [root] });
      root = { mediaType: mediaTypes.index, digest: sha256(bytes), size: bytes.length };
      blobs.set(root.digest, bytes);
    }
    await expect(closureOf(new Manifests(sourceOf(blobs)), root)).rejects.toMatchObject({
      code: 'image-unsupported',
      subject: root.digest,
    });
  });
});

describe('a manifest is refused', () => {
  test('that is too large, before it is read', async () => {
    const opened: ContentSource = { name: 'it', open: () => expect.unreachable('opened') };
    await expect(fetchManifest(opened, { ...image.index, size: 5 * 2 ** 20 })).rejects.toMatchObject({
      code: 'image-unsupported',
      side: 'source',
    });
  });

  test('whose bytes are not its own', async () => {
    const blobs = new Map([[image.index.digest, new Uint8Array(image.index.size)]]);
    await expect(fetchManifest(sourceOf(blobs), image.index)).rejects.toMatchObject({
      code: 'content-mismatch',
      subject: image.index.digest,
      side: 'source',
    });
  });

  test('that is of schema 1', async () => {
    const bytes = Buffer.from('{"schemaVersion":1}');
    const descriptor = { mediaType: mediaTypes.dockerSchema1, digest: sha256(bytes), size: bytes.length };
    const reading = fetchManifest(sourceOf(new Map([[descriptor.digest, bytes]])), descriptor);
    await expect(reading).rejects.toMatchObject({
      code: 'image-unsupported',
      hint: expect.stringContaining('republish'),
    });
  });
});

describe('a copy', () => {
  test('moves everything once, blobs before manifests, and says what it did', async () => {
    const source = sourceOf(image.blobs);
    const target = targetOf();
    let bytes = 0;
    const groups = await groupsOf(source, image.index);
    const copied = await copy([...groups, ...groups], target, {
      onBytes: (count) => {
        bytes += count;
      },
    });
    const total = [...image.blobs.values()].reduce((sum, blob) => sum + blob.length, 0);
    expect(copied).toEqual({ moved: image.blobs.size, movedBytes: total, present: 0 });
    expect(bytes).toBe(total);
    expect(target.pushed.at(-1)).toBe(image.index.digest);
    expect(new Set(target.pushed).size).toBe(target.pushed.length);
    for (const [digest, blob] of image.blobs) expect(Buffer.from(blob).equals(target.blobs.get(digest)!)).toBe(true);
  });

  test('leaves alone what is there already', async () => {
    const target = targetOf(new Map(image.blobs));
    const copied = await copy(await groupsOf(sourceOf(image.blobs), image.index), target);
    expect(copied).toEqual({ moved: 0, movedBytes: 0, present: image.blobs.size });
    expect(target.pushed).toEqual([]);
  });

  test('names the side that failed, and pushes nothing on top of it', async () => {
    const groups = await groupsOf(sourceOf(image.blobs), image.index);
    const layer = groups[0]!.find(({ descriptor }) => descriptor.mediaType === mediaTypes.layerGzip)!.descriptor;
    const damaged = sourceOf(new Map(image.blobs).set(layer.digest, new Uint8Array(layer.size)));
    const target = targetOf();
    const moved = groups.map((group) => group.map(({ descriptor }) => ({ descriptor, source: damaged })));
    await expect(copy(moved, target)).rejects.toMatchObject({
      code: 'content-mismatch',
      subject: layer.digest,
      side: 'source',
      message: expect.stringContaining('in the source'),
    });
    expect(target.blobs.has(layer.digest)).toBe(false);
    expect(target.blobs.has(image.index.digest)).toBe(false);
    const full: ContentTarget = { ...targetOf(), push: () => Promise.reject(new Error('the target is full')) };
    await expect(copy(groups, full)).rejects.toThrow('the target is full');
  });

  test('takes a failure of the source for one, also where the target hides it', async () => {
    const lost: ContentSource = { name: 'lost', open: () => failing() };
    async function* failing(): Bytes {
      yield* once(Uint8Array.of(1));
      throw new Error('the line went dead');
    }
    const hiding: ContentTarget = {
      ...targetOf(),
      push: async (_, read) => {
        await collect(read(), 100).catch(() => undefined);
      },
    };
    const group = [{ descriptor: image.index, source: lost }];
    await expect(copy([group], hiding)).rejects.toThrow('the line went dead');
  });

  describe('to a target that reads in its own way', () => {
    const bytes = noise('a target', 3_000_000);
    const blob = { mediaType: mediaTypes.layer, digest: sha256(bytes), size: bytes.length };

    /** Moves the blob to a target that reads it by `push`; tells how it was opened, and what of it was counted. */
    async function moved(push: ContentTarget['push']): Promise<{ opened: OpenOptions[]; counted: number }> {
      const opened: OpenOptions[] = [];
      const open: ContentSource['open'] = (_, options = {}) => {
        opened.push(options);
        const { offset = 0, into } = options;
        const length = bytes.length - offset;
        return into ? fleeting(memory(bytes), offset, length, into) : slice(memory(bytes), offset, length);
      };
      let counted = 0;
      const onBytes = (count: number): void => {
        counted += count;
      };
      const transfer = { descriptor: blob, source: { name: 'it', open } };
      await copy([[transfer]], { ...targetOf(), push }, { onBytes });
      return { opened, counted };
    }

    const begin = async (stream: Bytes, enough: number): Promise<void> => {
      let size = 0;
      for await (const chunk of stream) {
        size += chunk.length;
        if (size >= enough) return;
      }
    };

    test('gives the rest again from where it got lost, and counts that once', async () => {
      const { opened, counted } = await moved(async (_, read) => {
        await begin(read(), 2_000_000);
        const rest = await collect(read({ offset: 1_000_000 }), bytes.length);
        expect(Buffer.compare(rest, bytes.subarray(1_000_000))).toBe(0);
      });
      expect(opened.length).toBe(2);
      expect(counted).toBe(bytes.length);
    });

    test('gives only the rest of what it has the beginning of, and checks both', async () => {
      const { opened, counted } = await moved(async (_, read) => {
        const head = once(bytes.subarray(0, 1_000_000));
        const rest = await collect(read({ offset: 1_000_000, head }), bytes.length);
        expect(Buffer.compare(rest, bytes.subarray(1_000_000))).toBe(0);
      });
      expect(opened.map(({ offset }) => offset)).toEqual([1_000_000]);
      expect(counted).toBe(bytes.length);
    });

    test('gives all of it after a beginning that was another', async () => {
      const { opened, counted } = await moved(async (_, read) => {
        const wrong = once(new Uint8Array(1_000_000));
        await expect(collect(read({ offset: 1_000_000, head: wrong }), bytes.length)).rejects.toMatchObject({
          code: 'digest-mismatch',
        });
        expect(Buffer.compare(await collect(read(), bytes.length), bytes)).toBe(0);
      });
      expect(opened.map(({ offset }) => offset)).toEqual([1_000_000, 0]);
      expect(counted).toBe(bytes.length);
    });

    test('gives it memory that is used again only where it asks for that', async () => {
      const memories = new Set<ArrayBufferLike>();
      const { opened } = await moved(async (_, read) => {
        await begin(read(), bytes.length);
        for await (const chunk of read({ reuse: true })) memories.add(chunk.buffer);
      });
      expect(opened.map(({ into }) => into !== undefined)).toEqual([false, true]);
      expect(memories.size).toBeLessThanOrEqual(4);
    });
  });

  test('stops when it is told to', async () => {
    const signal = AbortSignal.abort(new Error('told to stop'));
    await expect(copy(await groupsOf(sourceOf(image.blobs), image.index), targetOf(), { signal })).rejects.toThrow(
      'told to stop',
    );
  });
});
