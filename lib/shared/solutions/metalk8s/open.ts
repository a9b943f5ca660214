import type { ReadAt } from '../../../../formats/bytes.ts';
import { type Digest, hexOf } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import { metalk8sPaths } from '../../../../formats/metalk8s/names.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { blobPath } from '../../../../formats/oci/layout.ts';
import { solutionAnnotations } from '../../../../formats/solution/metadata.ts';
import type { TreeEntry } from '../../../../formats/tree.ts';
import { fromFormat, SolpackError } from '../../../kernel/events/index.ts';
import {
  type Archive,
  type CarrierFile,
  type Catalog,
  carrierFiles,
  carrierSource,
  carriers,
  damaged,
  entryReader,
  type ForeignMedium,
  type OpenedFiles,
  readCatalog,
  sumsDigests,
} from '../../../parts/archives/index.ts';
import { entryTree } from '../tree/index.ts';
import { type Derived, deriveArchive } from './derive.ts';
import { type Appended, appended } from './files.ts';
import { mediumFaults, namedFiles, unprovedFiles } from './findings.ts';
import type { Metalk8sMedium } from './found.ts';
import { readMedium } from './medium.ts';
import { slotsBeside } from './slots.ts';

/** An archive that was made of a medium for MetalK8s. */
export type MediumArchive = Archive & { readonly foreign: ForeignMedium };

/**
 * Opens the archive that the Solution of a medium for MetalK8s would be: its images are read where they lie on the
 * medium, and what MetalK8s makes of it in a cluster are files of components. Throws `archive-invalid`,
 * `archive-damaged`, and closes it then.
 */
export async function openMetalk8s(opened: OpenedFiles, signal?: AbortSignal): Promise<MediumArchive> {
  const { path } = opened.file;
  try {
    return await mediumArchive(opened, await readMedium(opened), signal);
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw isOfAuthor(error)
      ? fromFormat('archive-invalid', path, error, 'ask its maker; MetalK8s does not accept such a medium either')
      : damaged(path, error);
  }
}

/** Returns whether an error is about what the author of a medium has written, and not about its bytes. */
function isOfAuthor(error: unknown): boolean {
  const codes = ['solution-invalid', 'yaml-invalid', 'manifest-document-invalid'];
  return error instanceof FormatError && codes.includes(error.code);
}

/** Makes the archive of a medium that was read. Throws `FormatError`, `archive-damaged`. */
export async function mediumArchive(
  opened: OpenedFiles,
  medium: Metalk8sMedium,
  signal?: AbortSignal,
): Promise<MediumArchive> {
  const { path } = opened.file;
  const derived = deriveArchive(medium);
  const rest = appended(opened);
  const entryOf = placesOf(medium, derived, rest);
  const content = async ({ digest }: Descriptor): Promise<ReadAt> => {
    const entry = entryOf(digest);
    if (entry) return entryReader(rest.file, entry);
    throw new SolpackError('archive-damaged', path, `lacks the content ${digest}`, {
      hint: `${metalk8sPaths.images}/ holds no file of that name: build the medium again`,
    });
  };
  const own = contentTree(entryOf);
  const source = carrierSource(path, { ...opened, file: rest.file, tree: own });
  const bare = await readCatalog(derived.encodeRoot({}), source, signal);
  const { plain, withViews } = sumsDigests(bare);
  const sums = { [solutionAnnotations.sums]: plain, [solutionAnnotations.sumsWithViews]: withViews };
  const catalog = await readCatalog(derived.encodeRoot(sums), source, signal);
  const slots = await slotsBeside(opened, catalog);
  return {
    file: rest.file,
    tree: entryTree(treeFiles(catalog, entryOf, rest, slots)),
    path,
    catalog,
    source: { ...source, name: path },
    content,
    slots: async () => slots,
    foreign: foreignOf(medium, opened),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Returns where content lies: on the medium under its digits, or behind it where it was made. */
type EntryOf = (digest: Digest) => TreeEntry | undefined;

function placesOf(medium: Metalk8sMedium, { made }: Derived, rest: Appended): EntryOf {
  const own = new Map<Digest, TreeEntry>();
  const behind = (digest: Digest, bytes: Uint8Array): TreeEntry => {
    const entry = fileEntry(blobPath(digest), bytes, rest);
    own.set(digest, entry);
    return entry;
  };
  return (digest) => {
    const known = own.get(digest);
    if (known) return known;
    const bytes = made.get(digest);
    return bytes ? behind(digest, bytes) : medium.contents.get(hexOf(digest))?.[0];
  };
}

function fileEntry(path: string, bytes: Uint8Array, { append }: Appended): TreeEntry {
  return { path, type: 'file', size: bytes.length, mode: 0o644, extents: append(bytes) };
}

/** The contents alone, as the files of an image layout. */
function contentTree(entryOf: EntryOf): OpenedFiles['tree'] {
  return {
    lookup: async (path) => {
      const hex = /^blobs\/sha256\/([0-9a-f]{64})$/.exec(path)?.[1];
      return hex === undefined ? undefined : entryOf(`sha256:${hex}`);
    },
    walk: async function* () {},
  };
}

/** The files of the archive, with the size that each has on the medium; what the medium lacks is not there. */
function treeFiles(
  catalog: Catalog,
  entryOf: EntryOf,
  rest: Appended,
  slots: readonly Uint8Array[],
): readonly TreeEntry[] {
  const entryFor = ({ content, path }: CarrierFile): TreeEntry | undefined => {
    if (content.kind === 'bytes') return fileEntry(path, content.bytes, rest);
    if (content.kind === 'blob') return entryOf(content.descriptor.digest);
    return typeof content.slot === 'number' ? fileEntry(path, slots[content.slot]!, rest) : undefined;
  };
  return carrierFiles(catalog, carriers.iso).flatMap((file) => {
    const entry = entryFor(file);
    return entry ? [{ ...entry, path: file.path, mode: file.mode }] : [];
  });
}

function foreignOf(medium: Metalk8sMedium, { file, carrier }: OpenedFiles): ForeignMedium {
  const named = namedFiles(medium);
  return {
    kind: 'metalk8s',
    era: medium.solution.era,
    size: carrier ? file.size : named.reduce((sum, { entry }) => sum + entry.size, 0),
    format: carrier,
    unproved: unprovedFiles(medium),
    faults: mediumFaults(medium),
    unused: medium.unused,
    named,
  };
}
