import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect } from '../../formats/bytes.ts';
import type { Digest } from '../../formats/digest.ts';
import type { Extent } from '../../formats/tree.ts';
import { delta } from '../../lib/flows/delta/index.ts';
import { pack } from '../../lib/flows/pack/index.ts';
import type { Flow } from '../../lib/kernel/events/flow.ts';
import { encodeLayoutIndex } from '../../lib/parts/archives/files.ts';
import {
  type Archive,
  archivePaths,
  type CarrierKind,
  carriers,
  type OpenedCarrier,
  openArchiveFile,
} from '../../lib/parts/archives/index.ts';
import { indexSectorsAt } from '../../lib/parts/archives/listing.ts';
import { DISK_SECTOR } from '../../lib/parts/archives/sectors.ts';
import { loadPrivateKey, type PrivateKey } from '../../lib/parts/trust/index.ts';
import { writeLayout } from '../images/archives.ts';
import { blob, buildImage } from '../images/image.ts';
import { type Documents, namedIn, occurrences } from './documents.ts';
import { isoFields } from './iso-fields.ts';
import { type Sample, sampleOf } from './sample.ts';
import { tarFields, tarHeaders } from './tar-fields.ts';

/** How often a layer repeats its few bytes, so that a delta leaves it out. */
const LARGE = 100;

/** A flow that discards its events. */
export const quietFlow: Flow = {
  signal: new AbortController().signal,
  onEvent: () => undefined,
  host: { path: [], temp: tmpdir() },
};

/** An archive of a small, signed Solution. */
export interface SignedArchive {
  readonly sample: Sample;
  readonly kind: CarrierKind;
  readonly key: PrivateKey;
  readonly root: Digest;
}

/** Packs a small Solution in each format, and signs it; the same bytes each time. With `deltas`, each lacks its layers. */
export async function signedArchives(deltas = false): Promise<SignedArchive[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solpack-fuzz-'));
  try {
    const key = await fixedKey(join(folder, 'key'));
    writeSolution(folder, deltas ? LARGE : 1);
    const archives: SignedArchive[] = [];
    for (const { kind, extension } of Object.values(carriers)) {
      const output = join(folder, `solution${extension}`);
      const request = {
        definition: join(folder, 'solution.toml'),
        output,
        created: 0,
        lock: 'use',
        sign: key,
      } as const;
      const connect = () => Promise.reject(new Error('there is no registry'));
      const { root } = await pack({ ...request, connect }, quietFlow);
      const made = deltas ? join(folder, `delta${extension}`) : output;
      if (deltas) await delta({ bases: [output], archive: output, output: made, sync: false }, quietFlow);
      archives.push({ kind, key, root, sample: await sample(kind, made, key) });
    }
    return archives;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sample(kind: CarrierKind, path: string, key: PrivateKey): Promise<Sample> {
  const bytes = readFileSync(path);
  const archive = await openArchiveFile(path);
  try {
    const documents = await documentsOf(archive, bytes, key);
    return kind === 'iso'
      ? sampleOf('archive.iso', bytes, isoFields(bytes), { documents })
      : sampleOf('archive.tar', bytes, tarFields(bytes), { documents, headers: tarHeaders(bytes) });
  } finally {
    await archive[Symbol.asyncDispose]();
  }
}

/**
 * Returns every JSON document that reading an archive decodes: configurations, manifests from the lowest up, the root.
 */
async function documentsOf(archive: Archive & OpenedCarrier, bytes: Buffer, key: PrivateKey): Promise<Documents> {
  const { manifests, solutionBlobs, imageBlobs, root } = archive.catalog;
  const inJson = [...solutionBlobs, ...imageBlobs].filter(({ mediaType }) => mediaType.endsWith('+json'));
  const all = [...inJson, ...manifests.map(({ descriptor }) => descriptor), root];
  const inOrder = await Promise.all(
    all.map(async (descriptor) => ({
      places: occurrences(bytes, await collect(archive.source.open(descriptor), descriptor.size)),
      size: descriptor.size,
      named: namedIn(bytes, descriptor.digest.slice('sha256:'.length)),
    })),
  );
  const slots: Extent[] = [];
  for (let number = 0; number < archive.catalog.metadata.signatureSlots.count; number += 1) {
    slots.push(...(await archive.tree.lookup(archivePaths.slot(number)))!.extents);
  }
  for await (const { path, extents } of archive.tree.walk('.solpack/attestations')) {
    if (path.endsWith('.sigstore.json')) slots.push(...extents);
  }
  return { inOrder, key, slots, entries: await entriesIn(archive) };
}

/** Finds the sectors of `index.json` that list signatures. */
async function entriesIn({ carrier, catalog, tree }: Archive & OpenedCarrier): Promise<Extent[]> {
  const { count } = catalog.metadata.signatureSlots;
  const { offset } = (await tree.lookup('index.json'))!.extents[0]!;
  const from = offset + indexSectorsAt(encodeLayoutIndex(catalog));
  const slots = Array.from({ length: carrier.listsSignatures ? count : 0 }, (_, slot) => slot);
  return slots.map((slot) => ({ offset: from + slot * DISK_SECTOR, size: DISK_SECTOR }));
}

/**
 * Writes and loads the Ed25519 key of thirty-two zeros, in PKCS #8 (RFC 8410 section 7), whose signatures are the same
 * each time.
 */
async function fixedKey(path: string): Promise<PrivateKey> {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32)]);
  const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(path, pem);
  return loadPrivateKey(path);
}

/** Writes a Solution with one image for two platforms, whose layers have so many `times` a few bytes, and one component. */
function writeSolution(folder: string, times: number): void {
  const reference = 'registry.example.com/hello/web:1.0.0';
  const base = (name: string): Buffer => Buffer.from(`base of ${name}`.repeat(times));
  const layers = new Map(['amd64', 'arm64'].map((name) => [name, blob(base(name))]));
  const created = '2026-01-01T00:00:00Z';
  const recipe = { reference, title: 'web', version: '1.0.0', created, port: 80, entrypoint: ['/web'], files: [] };
  writeLayout(join(folder, 'images'), [buildImage(recipe, { layers, created })]);
  writeFileSync(
    join(folder, 'solution.toml'),
    [
      'name = "hello"\nversion = "1.0.0"\n',
      `[[images]]\nreference = "${reference}"\nsource = "oci:images:${reference}"\n`,
      '[[components]]\nname = "web"\nkind = "manifests"\npath = "web.yaml"\nnamespace = "hello"\ncreate-namespace = true\n',
    ].join('\n'),
  );
  writeFileSync(join(folder, 'web.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n');
}
