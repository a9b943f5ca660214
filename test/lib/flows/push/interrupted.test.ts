import { cpSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { parseReference } from '../../../../formats/oci/reference.ts';
import { bundleMediaType } from '../../../../formats/sigstore/bundle.ts';
import { isStatement, signatureReferrer } from '../../../../formats/sigstore/referrer.ts';
import { readSlot } from '../../../../formats/sigstore/slot.ts';
import { pull } from '../../../../lib/flows/pull/index.ts';
import { type PushResult, push } from '../../../../lib/flows/push/index.ts';
import type { NamedSource } from '../../../../lib/kernel/content/model.ts';
import type { Event } from '../../../../lib/kernel/events/events.ts';
import { smallSolution, succeeds } from '../../../support/cli.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { connectPlainly, withArchive } from '../../../support/packing.ts';
import { dockerRegistry } from '../../../support/registry.ts';

const folder = scratch('push');
const file = (name: string): string => join(folder, name);
const registry = dockerRegistry(folder);
const SLOW = 120_000;

beforeAll(async () => {
  await smallSolution(file('src'));
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  await succeeds(['pack', 'src', '-o', 'a.iso', '--sign', 'k.key'], { cwd: folder });
}, SLOW);

function pushHere(
  reference: string,
  archive = 'a.iso',
  flow: Partial<ReturnType<typeof testFlow>> = {},
): Promise<PushResult> {
  const request = { archive: file(archive), reference: parseReference(reference), options: {}, expand: false };
  return push(request, { ...testFlow(), ...flow });
}

function pullHere(reference: string, output: string, connect = connectPlainly) {
  const flow = testFlow();
  return {
    flow,
    done: pull({ reference: parseReference(reference), output: file(output), connect, sync: false }, flow),
  };
}

describe('a push that ended early', () => {
  judged(
    'has set no tag, and goes on when it is run again',
    ['docker-registry'],
    async () => {
      const reference = `${(await registry()).host}/early/hello:1.0.0`;
      const stop = new AbortController();
      const onEvent = (event: Event): void => {
        if (event.type === 'progress' && event.done > 0) stop.abort(new Error('enough'));
      };
      await expect(pushHere(reference, 'a.iso', { signal: stop.signal, onEvent })).rejects.toThrow('enough');
      await expect(pullHere(reference, 'early.iso').done).rejects.toMatchObject({ code: 'solution-absent' });
      expect(existsSync(file('early.iso'))).toBe(false);
      await pushHere(reference);
      expect(await pushHere(reference)).toMatchObject({ moved: 0 });
      await pullHere(reference, 'early.iso').done;
      expect(readFileSync(file('early.iso')).equals(readFileSync(file('a.iso')))).toBe(true);
    },
    SLOW,
  );

  judged(
    'before a signature was listed lists it the next time',
    ['docker-registry'],
    async () => {
      const { host, url } = await registry();
      const reference = `${host}/listed/hello:1.0.0`;
      const unsigned = 'unsigned.iso';
      cpSync(file('a.iso'), file(unsigned));
      await succeeds(['unsign', unsigned, '--slot', '0'], { cwd: folder });
      await pushHere(reference, unsigned);
      const repository = await connectPlainly(parseReference(reference));
      try {
        const { root, manifest, blobs } = await withArchive(file('a.iso'), async (archive) => {
          const [slot] = await archive.slots();
          const { root } = archive.catalog;
          return { root, ...signatureReferrer(readSlot(slot!)!, root, 0) };
        });
        // What a registry has that was left between the two: the manifest, and no list that names it.
        for (const { descriptor, bytes } of blobs) {
          const opened = await fetch(`${url}/v2/listed/hello/blobs/uploads/`, { method: 'POST' });
          const to = new URL(opened.headers.get('location')!, url);
          to.searchParams.set('digest', descriptor.digest);
          expect((await fetch(to, { method: 'PUT', body: Buffer.from(bytes) })).status).toBe(201);
        }
        const headers = { 'content-type': manifest.descriptor.mediaType };
        const path = `${url}/v2/listed/hello/manifests/${manifest.descriptor.digest}`;
        expect((await fetch(path, { method: 'PUT', headers, body: Buffer.from(manifest.bytes) })).status).toBe(201);
        const signed = async (): Promise<string[]> => {
          const listed = (await repository.referrers?.(root, bundleMediaType)) ?? [];
          return listed.filter(({ annotations }) => !isStatement(annotations)).map(({ digest }) => digest);
        };
        expect(await signed()).toEqual([]);
        expect(await pushHere(reference)).toMatchObject({ moved: 0, signatures: 1 });
        expect(await signed()).toEqual([manifest.descriptor.digest]);
      } finally {
        await repository.close();
      }
    },
    SLOW,
  );
});

describe('a damaged archive', () => {
  judged(
    'is not pushed: neither its tag nor the content that is damaged',
    ['docker-registry'],
    async () => {
      const reference = `${(await registry()).host}/damaged/hello:1.0.0`;
      cpSync(file('a.iso'), file('damaged.iso'));
      const digest = await withArchive(file('a.iso'), async (archive) => {
        const blob = archive.catalog.imageBlobs.find(({ mediaType }) => mediaType.includes('layer'))!;
        const [extent] = (await archive.tree.lookup(`blobs/${blob.digest.replace(':', '/')}`))!.extents;
        const handle = openSync(file('damaged.iso'), 'r+');
        const byte = Buffer.alloc(1);
        readSync(handle, byte, 0, 1, extent!.offset + 20);
        writeSync(handle, Buffer.from([byte[0]! ^ 1]), 0, 1, extent!.offset + 20);
        return blob.digest;
      });
      await expect(pushHere(reference, 'damaged.iso')).rejects.toMatchObject({
        code: 'content-mismatch',
        subject: digest,
      });
      await expect(pullHere(reference, 'x.iso').done).rejects.toMatchObject({ code: 'solution-absent' });
    },
    SLOW,
  );
});

describe('a pull that ended early', () => {
  judged(
    'goes on with what it has fetched, and ends with the same bytes',
    ['docker-registry'],
    async () => {
      const reference = `${(await registry()).host}/resumed/hello:1.0.0`;
      await pushHere(reference);
      let opened = 0;
      const failing = async (wanted: Parameters<typeof connectPlainly>[0]): Promise<NamedSource> => {
        const source = await connectPlainly(wanted);
        const open: NamedSource['open'] = (descriptor, options) => {
          opened += 1;
          if (descriptor.mediaType.includes('layer') && opened > 3) throw new Error('the network is gone');
          return source.open(descriptor, options);
        };
        return { ...source, open };
      };
      const first = pullHere(reference, 'resumed.iso', failing);
      await expect(first.done).rejects.toThrow('the network is gone');
      expect(first.flow.events).toContainEqual(
        expect.objectContaining({ message: expect.stringContaining('continues with it') }),
      );
      expect([existsSync(file('resumed.iso')), existsSync(file('resumed.iso.partial'))]).toEqual([false, true]);
      const second = pullHere(reference, 'resumed.iso');
      expect((await second.done).present).toBeGreaterThan(0);
      expect(readFileSync(file('resumed.iso')).equals(readFileSync(file('a.iso')))).toBe(true);
      expect(existsSync(file('resumed.iso.partial'))).toBe(false);
    },
    SLOW,
  );
});
