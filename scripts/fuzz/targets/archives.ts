import { collect, once } from '../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import { inspectOpened } from '../../../lib/flows/inspect/index.ts';
import { verifyOpened } from '../../../lib/flows/verify/index.ts';
import type { ContentSource } from '../../../lib/kernel/content/model.ts';
import { SolpackError } from '../../../lib/kernel/events/errors.ts';
import { encodeSums } from '../../../lib/parts/archives/files.ts';
import {
  archiveBytes,
  damaged as archiveDamaged,
  type Carrier,
  type Catalog,
  carrierSource,
  carriers,
  planSigned,
  readCatalog,
  readRoot,
  readSlots,
} from '../../../lib/parts/archives/index.ts';
import { signRoot, signStatementBy, trustInKeys } from '../../../lib/parts/trust/index.ts';
import { readStatement } from '../../../lib/shared/solutions/attestations/statement.ts';
import { quietFlow, type SignedArchive, signedArchives } from '../archives.ts';
import { damaged, type Words } from '../damage.ts';
import { parsers } from '../parser.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { opened } from '../verify.ts';
import { checkMessage, must } from '../violation.ts';

/** Separates the documents of an input. */
const BETWEEN = Buffer.from('\n-----\n');
const NAME = 'archive';

const words =
  '"manifests":¦"layers":¦"config":¦"annotations":{}¦"subject":¦"size":¦"platform":¦"artifactType":' +
  `¦${mediaTypes.index}¦${mediaTypes.manifest}¦${mediaTypes.helmConfig}¦sha256:` +
  `¦${Object.values(solutionAnnotations).join('¦')}`;

/**
 * Archives that this project's writer makes of changed documents: as large as they become, with every digest correct,
 * and signed. Anybody with a key can make such archives.
 */
export const archives: Target = {
  name: 'archives',
  weight: 6,
  load: async () => {
    const [archive] = await signedArchives();
    const sound = await contentsOf(archive!);
    const sample = Buffer.concat(sound.documents.flatMap((bytes, at) => (at === 0 ? [bytes] : [BETWEEN, bytes])));
    const list = Object.values(carriers).map((carrier) => [
      carrier.kind,
      { samples: [sample], damage, read: (bytes: Buffer) => read(sound, archive!, carrier, bytes) },
    ]);
    return parsers('archives', 1, words, Object.fromEntries(list)).load();
  },
};

/** The content of the sound archive. */
interface Contents {
  /** All JSON documents. Those that are named come before those that name them, so the root is last. */
  readonly documents: readonly Buffer[];
  readonly blobs: ReadonlyMap<Digest, Buffer>;
}

async function contentsOf({ sample }: SignedArchive): Promise<Contents> {
  const found = (await opened(sample.canvas.original))!;
  const rootBytes = await readRoot(NAME, found);
  const source = carrierSource(NAME, found);
  const { manifests, contents, root } = await readCatalog(rootBytes, source);
  const inJson = contents.filter(
    ({ mediaType }) => mediaType.endsWith('config.v1+json') || mediaType.endsWith('metadata.v1+json'),
  );
  const known = new Set(manifests.map(({ descriptor }) => descriptor.digest));
  const configs = inJson.filter(({ digest }) => !known.has(digest));
  const inOrder = [...configs, ...manifests.map(({ descriptor }) => descriptor)];
  const bytesOf = async (one: Descriptor): Promise<Buffer> => Buffer.from(await collect(source.open(one), one.size));
  const documents = await Promise.all(inOrder.map(bytesOf));
  const own = new Set([...inOrder, root].map(({ digest }) => digest));
  const blobs = new Map<Digest, Buffer>();
  for (const one of contents) if (!own.has(one.digest)) blobs.set(one.digest, await bytesOf(one));
  return { documents: [...documents, Buffer.from(rootBytes)], blobs };
}

/** Changes documents so that they grow: repeats entries, fills unknown fields. */
function damage(random: Random, sample: Buffer, known: Words): Buffer {
  const documents = split(sample);
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const at = random.once(2) ? documents.length - 1 : random.below(documents.length);
    const change = random.pick([repeatEntry, repeatEntry, fillField, damaged]);
    const changed = change(random, documents[at]!, known);
    if (changed.length <= MOST) documents[at] = changed;
  }
  return Buffer.concat(documents.flatMap((bytes, at) => (at === 0 ? [bytes] : [BETWEEN, bytes])));
}

/** Repeats one entry of a list many times, unchanged or with different names. */
function repeatEntry(random: Random, bytes: Buffer): Buffer {
  // A document that was filled before would take too much memory.
  const value = bytes.length > REPEATED ? undefined : parsed(bytes);
  const list = value?.['manifests'] ?? value?.['layers'];
  if (!Array.isArray(list) || list.length === 0) return fillField(random, bytes);
  const entry = random.pick(list);
  const renames = random.below(4);
  for (let number = 0, count = countOf(random, 12); number < count; number += 1) {
    const text = JSON.stringify(entry);
    list.push(
      renames === 0 ? entry : JSON.parse(text.replace(/:1\.0\.0"|(?<=title":"[^"]*)"/, (end) => `-${number}${end}`)),
    );
  }
  return Buffer.from(JSON.stringify(value));
}

/** Most bytes of a document whose entries are repeated. */
const REPEATED = 64 * 1024;

/** Bytes of a filled field: no larger document is read. */
const FILLED = 4 * 1024 * 1024;

/** Most bytes of a changed document: a larger one would take the memory that reading it needs. */
const MOST = FILLED + 64 * 1024;

const fillings = ['{}', '[]', '0', '""', '{"":0}', '[[]]', '"\\u0000"', '{"a":{}}'];

/** Adds an unknown field to an object: long, or deeply nested. */
function fillField(random: Random, bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const places = [...text.matchAll(/\{(?=")/g)];
  if (places.length === 0) return bytes;
  const at = random.pick(places).index + 1;
  const filling = random.pick(fillings);
  const count = Math.min(countOf(random, 20), Math.floor(FILLED / (filling.length + 1)));
  const deep = random.once(4);
  const value = deep ? `${'['.repeat(count)}${']'.repeat(count)}` : `[${`${filling},`.repeat(count)}0]`;
  return Buffer.from(`${text.slice(0, at)}"x":${value},${text.slice(at)}`, 'latin1');
}

/** Returns a count, rarely up to two to the power of `most`. */
function countOf(random: Random, most: number): number {
  return 2 ** random.below(random.once(8) ? most + 1 : 8);
}

function parsed(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(bytes.toString());
    // A value that is nested too deeply cannot be written again.
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}

function split(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(BETWEEN, at);
    parts.push(bytes.subarray(at, end < 0 ? bytes.length : end));
    if (end < 0) return parts;
    at = end + BETWEEN.length;
  }
}

async function read(sound: Contents, { key }: SignedArchive, carrier: Carrier, bytes: Buffer): Promise<string> {
  const { source, root } = renamed(sound, split(bytes));
  const catalog = await orDamaged(readCatalog(root, source));
  const right = withSums(catalog);
  const signed = right.equals(root) ? catalog : await orDamaged(readCatalog(right, source));
  const archive = await written(signed, source, carrier, key);
  const found = await opened(archive);
  must(found !== undefined, 'what was written is not an archive');
  await inspected(found);
  const verdict = await verifyOpened(found, NAME, trustInKeys([key.public], 0), quietFlow);
  for (const { message } of verdict.findings) checkMessage(message);
  return verdict.ok ? 'read' : 'findings';
}

/** Returns the documents with each other's new digests and sizes. */
function renamed(sound: Contents, documents: readonly Buffer[]): { source: ContentSource; root: Buffer } {
  const names = new Map<string, Descriptor>();
  const contents = new Map<Digest, Buffer>(sound.blobs);
  let root = Buffer.alloc(0);
  for (const [at, document] of documents.entries()) {
    const text = document
      .toString('latin1')
      .replace(/(sha256:[0-9a-f]{64})(?:","size":\d+)?/g, (all, digest: string) => {
        const known = names.get(digest);
        return known ? `${known.digest}${all.length > 71 ? `","size":${known.size}` : ''}` : all;
      });
    root = Buffer.from(text, 'latin1');
    const digest = sha256(root);
    contents.set(digest, root);
    const before = sound.documents[at];
    if (before) names.set(sha256(before), { mediaType: '', digest, size: root.length });
  }
  const open: ContentSource['open'] = (descriptor) => {
    const found = contents.get(descriptor.digest);
    if (found) return once(found);
    throw new SolpackError('archive-damaged', NAME, `lacks the content ${descriptor.digest}`);
  };
  return { source: { name: NAME, open }, root };
}

/** Returns the root with the digests of its checksum files. */
function withSums(catalog: Catalog): Buffer {
  let text = Buffer.from(catalog.rootBytes).toString('latin1');
  for (const views of [false, true]) {
    const stated = catalog.index.annotations[views ? solutionAnnotations.sumsWithViews : solutionAnnotations.sums];
    if (stated) text = text.replaceAll(stated, sha256(encodeSums(catalog, views)));
  }
  return Buffer.from(text, 'latin1');
}

async function written(
  catalog: Catalog,
  source: ContentSource,
  carrier: Carrier,
  key: SignedArchive['key'],
): Promise<Buffer> {
  const bundles = {
    bundles: [await signRoot(catalog.rootBytes, key, quietFlow)],
    attest: async (attestation: Catalog['attestations'][number]) =>
      signStatementBy(await readStatement(source, catalog, attestation), key, quietFlow),
  };
  const chunks: Uint8Array[] = [];
  const planned = planSigned(catalog, carrier, bundles);
  for await (const chunk of archiveBytes(planned, bundles, (descriptor) => source.open(descriptor))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function inspected(found: NonNullable<Awaited<ReturnType<typeof opened>>>): Promise<void> {
  const source = carrierSource(NAME, found);
  const catalog = await orDamaged(readCatalog(await readRoot(NAME, found), source));
  const slots = (): Promise<Uint8Array[]> => readSlots(NAME, found, catalog);
  const inspection = await inspectOpened({ ...found, path: NAME, catalog, source, content: source.content, slots });
  must(inspection.images.length === catalog.images.length, 'inspect tells of other images than there are');
}

async function orDamaged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw archiveDamaged(NAME, error);
  }
}
