import { type Bytes, fleeting, join, type ReadAt, slice } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { blobPath } from '../../../formats/oci/layout.ts';
import { MANIFEST_LIMIT } from '../../../formats/oci/manifest.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import type { Extent, TreeEntry } from '../../../formats/tree.ts';
import { type ContentSource, openPlace, type Place } from '../../kernel/content/index.ts';
import { fromFormat, SolpackError } from '../../kernel/events/index.ts';
import type { OpenFile } from '../../kernel/files/index.ts';
import type { Carrier, OpenedTree } from './carrier.ts';
import type { Catalog } from './catalog.ts';
import { archivePaths } from './files.ts';

const HEAD = 64 * 1024;

/** Files that may be those of an archive, and the bytes that their extents lie in. */
export interface OpenedFiles extends Pick<OpenedTree, 'tree'>, AsyncDisposable {
  readonly file: OpenFile;
  /** The format that they lie in; absent where they lie in a folder. */
  readonly carrier?: Carrier;
}

/** The same while they are read alone, by whoever opened them. */
type ReadFiles = Pick<OpenedFiles, 'tree'> & { readonly file: ReadAt & Pick<OpenFile, 'prefetch'> };

/** A file of a known carrier format, opened for reading its directory; what it holds may be anything. */
export interface OpenedCarrier extends OpenedTree, OpenedFiles {
  readonly carrier: Carrier;
}

/** What an archive was made of that solpack did not pack: a medium for MetalK8s. */
export interface ForeignMedium {
  readonly kind: 'metalk8s';
  /** How it describes itself: `manifest.yaml` from MetalK8s 2.5.1 on, `product.txt` before. */
  readonly era: 'manifest' | 'product';
  /** Bytes of it; of a folder, those of its contents. */
  readonly size: number;
  /** The format that it is in; absent for a folder. */
  readonly format?: Carrier | undefined;
  /** Files of it whose bytes nothing on it says. */
  readonly unproved: readonly string[];
  /** Folders that should hold images and do not, and images that it lists and lacks. */
  readonly faults: readonly { readonly path: string; readonly message: string }[];
  /** Files for MetalK8s that are not installed from here. */
  readonly unused: readonly string[];
  /** Its files that are named by their digests: contents of images. */
  readonly named: readonly { readonly digest: Digest; readonly entry: TreeEntry }[];
}

/** An archive of a Solution, opened. Its content is read where it lies, and checked only by who reads it. */
export interface Archive extends OpenedFiles {
  /** How messages name it: its path, or its address. */
  readonly path: string;
  readonly catalog: Catalog;
  readonly source: ContentSource;
  /** Random access to a blob's bytes, unchecked. Throws `archive-damaged` where the archive lacks it. */
  content(descriptor: Descriptor): Promise<ReadAt>;
  /** What it lacks as a delta, and nothing that completes it has. Absent where it is whole. */
  readonly lacks?: readonly Descriptor[];
  /** The archive that a blob is read out of, by its path. Absent where that is this one for all. */
  pathOf?(descriptor: Descriptor): string;
  /** The signature slots, as they are. */
  slots(): Promise<readonly Uint8Array[]>;
  /** The medium that it was made of; absent where solpack packed it. */
  readonly foreign?: ForeignMedium;
}

/**
 * Opens any file that one of `carriers` knows. Throws `archive-invalid`, `archive-damaged`, and what `openPlace`
 * throws.
 */
export async function openCarrier(
  place: Place,
  carriers: readonly Carrier[],
  signal?: AbortSignal,
): Promise<OpenedCarrier> {
  const file = await openPlace(place, signal);
  const { path } = file;
  try {
    const head = await file.read(0, Math.min(HEAD, file.size));
    const carrier = carriers.find((candidate) => candidate.sniff(head));
    if (!carrier) {
      const known = carriers.map(({ title }) => title).join(' nor ');
      throw new SolpackError('archive-invalid', path, file.size === 0 ? 'is empty' : `is neither ${known}`, {
        hint: 'name a file that "solpack pack" made, or fetch it again',
      });
    }
    const opened = await carrier.open(file);
    return { ...opened, file: upTo(file, opened.end), carrier, [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw damaged(path, error);
  }
}

/** What was written to a device: behind the end of the archive are bytes that nobody wrote. */
function upTo(file: OpenFile, end: number): OpenFile {
  return file.isDevice && end < file.size ? { ...file, size: end } : file;
}

const unsupported = 'it uses a feature that solpack does not read: write it again without that';
const cutOff = 'it may be cut off or damaged: compare its size and fetch it again';
const unlike = '"solpack pack" makes nothing like it: ask its maker';

/**
 * Makes the error of an archive whose bytes a parser refused: `archive-damaged`, or `archive-invalid` for what is not
 * read here.
 */
export function damaged(path: string, error: unknown): unknown {
  if (error instanceof FormatError && error.code.endsWith('-unsupported')) {
    return fromFormat('archive-invalid', path, error, unsupported);
  }
  // `pack` takes no image that it cannot read: an archive with one is not of its making.
  if (error instanceof SolpackError && error.code === 'image-unsupported') {
    const hint = isLimit(error.cause) ? unlike : cutOff;
    return new SolpackError('archive-damaged', path, `${error.subject}: ${error.message}`, { cause: error, hint });
  }
  return fromFormat('archive-damaged', path, error, isLimit(error) ? unlike : cutOff);
}

/** Returns whether an error is of what would take too much to read, or has a cause that is. */
function isLimit(error: unknown): boolean {
  if (!(error instanceof FormatError)) return false;
  return error.code === 'manifest-limit' || error.code === 'json-limit' || isLimit(error.cause);
}

/** Does `work`, and makes what a parser refuses in it the error of an archive. */
export async function orDamaged<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw damaged(path, error);
  }
}

/** Makes a source of content of a carrier's blobs. */
export function carrierSource(path: string, opened: OpenedFiles): ContentSource & Pick<Archive, 'content'> {
  const content = async (descriptor: Descriptor): Promise<ReadAt> => {
    const entry = await orDamaged(path, opened.tree.lookup(blobPath(descriptor.digest)));
    if (entry?.type === 'file') return entryReader(opened.file, entry);
    throw new SolpackError('archive-damaged', path, `lacks the content ${descriptor.digest}`, {
      hint: 'the archive is damaged: fetch it again',
    });
  };
  return {
    name: path,
    content,
    ...(opened.file.prefetch ? { prefetch: (descriptors) => prefetchFiles(opened, descriptors.map(pathOf)) } : {}),
    open: async function* (descriptor, { offset = 0, into } = {}): Bytes {
      const reader = await content(descriptor);
      const length = reader.size - offset;
      yield* into ? fleeting(reader, offset, length, into) : slice(reader, offset, length);
    },
  };
}

function pathOf({ digest }: Descriptor): string {
  return blobPath(digest);
}

/** Fetches files of a carrier that will be read next, where that saves round trips; those it lacks are left out. */
async function prefetchFiles({ file, tree }: ReadFiles, paths: readonly string[]): Promise<void> {
  const extents: Extent[] = [];
  for (const path of paths) extents.push(...((await tree.lookup(path))?.extents ?? []));
  await file.prefetch?.(extents);
}

/** Gives random access to the bytes of a file in a carrier. */
export function entryReader(file: ReadAt, entry: TreeEntry): ReadAt {
  return {
    size: entry.size,
    read: async (offset, length, into) => {
      const parts: Uint8Array[] = [];
      let start = 0;
      for (const extent of entry.extents) {
        const from = Math.max(offset, start);
        const to = Math.min(offset + length, start + extent.size);
        const memory = into?.subarray(Math.max(0, from - offset));
        if (from < to) parts.push(await file.read(extent.offset + from - start, to - from, memory));
        start += extent.size;
      }
      if (offset + length > start) throw new FormatError('truncated', `${entry.path} ends at ${start}`, { offset });
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    },
  };
}

/** Streams the bytes of a file in a carrier. */
export function entryBytes(file: ReadAt, entry: TreeEntry): Bytes {
  return join(entry.extents.map(({ offset, size }) => slice(file, offset, size)));
}

/** Reads a small file of a carrier whole; undefined where there is none. */
export async function readEntry(opened: ReadFiles, path: string): Promise<Uint8Array | undefined> {
  const entry = await opened.tree.lookup(path);
  if (entry?.type !== 'file') return undefined;
  if (entry.size > MANIFEST_LIMIT) throw new FormatError('manifest-too-large', `${path} has ${sizeWords(entry.size)}`);
  return entryReader(opened.file, entry).read(0, entry.size);
}

/** Reads the signature slots of a carrier as they are; one that is missing is empty. Throws `archive-damaged`. */
export async function readSlots(path: string, opened: ReadFiles, { metadata }: Catalog): Promise<Uint8Array[]> {
  const paths = Array.from({ length: metadata.signatureSlots.count }, (_, number) => archivePaths.slot(number));
  if (opened.file.prefetch) await orDamaged(path, prefetchFiles(opened, paths));
  const slots: Uint8Array[] = [];
  for (const slot of paths) slots.push((await orDamaged(path, readEntry(opened, slot))) ?? new Uint8Array());
  return slots;
}
