import { type Digest, verified } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { layoutPaths } from '../../../formats/oci/layout.ts';
import { type Extent, joined, type TreeEntry } from '../../../formats/tree.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import {
  type Carrier,
  type CarrierFile,
  type Catalog,
  carrierFiles,
  carriers,
  entryBytes,
  entryReader,
  isAsKnown,
  type OpenedFiles,
} from '../../parts/archives/index.ts';
import { compareBlobs, type Reading } from './blobs.ts';
import type { Hashing, PlacedBlob } from './hash-blobs.ts';
import { readListing } from './listing.ts';
import { compareTree } from './tree.ts';

/**
 * Checks the contents of files, wherever they lie: that all are there that the root reaches, with the bytes that it
 * names, and no others. Those are the files of an ISO, or, without the views, of a tar. Slots may be missing. How the
 * files are kept (names beside their paths, dates, modes, what lies between them) is nobody's matter here.
 */
export async function compareContent(
  opened: OpenedFiles,
  catalog: Catalog,
  slots: readonly Uint8Array[],
  how: Omit<Hashing, 'signal'> & Pick<Reading, 'early'>,
  { signal }: Pick<Flow, 'signal'>,
): Promise<Finding[]> {
  const carrier = await formatOf(opened, catalog);
  const { signatures, findings: unlike } = await readListing(opened, catalog, carrier, slots);
  const files = carrierFiles(catalog, carrier, signatures);
  const optional = new Set(files.filter(({ content }) => content.kind === 'slot').map(({ path }) => path));
  const known: { readonly file: CarrierFile; readonly entry: TreeEntry }[] = [];
  // Paths that share their bytes are hashed once.
  const blobs = new Map<string, PlacedBlob>();
  const found = await compareTree(opened.tree, files, (file, entry) => {
    const [extent, ...more] = joined(entry.extents);
    const { content } = file;
    if (content.kind === 'slot') return;
    if (content.kind !== 'blob' || more.length > 0) known.push({ file, entry });
    else blobs.set(`${content.descriptor.digest} ${extent?.offset}`, placed(content.descriptor.digest, extent, file));
  });
  const findings = found.filter(({ code, subject }) => code !== 'missing-file' || !optional.has(subject));
  for (const { file, entry } of known) findings.push(...(await compareFile(file, entry, opened)));
  return [...findings, ...unlike, ...(await compareBlobs([...blobs.values()], { ...how, file: opened.file, signal }))];
}

function placed(digest: Digest, extent: Extent | undefined, { path, size }: CarrierFile): PlacedBlob {
  return { digest, offset: extent?.offset ?? 0, size, path };
}

/**
 * Finds the format whose files these are: either all views are there or none, so one reports all; otherwise
 * `index.json` tells.
 */
async function formatOf({ tree }: OpenedFiles, catalog: Catalog): Promise<Carrier> {
  const { iso, tar } = carriers;
  const view = catalog.files.find(({ path }) => path !== 'manifest.yaml');
  try {
    if (view) return (await tree.lookup(view.path)) ? iso : tar;
    const index = await tree.lookup(layoutPaths.index);
    const isAs = (carrier: Carrier): boolean =>
      carrierFiles(catalog, carrier).some(({ path, size }) => path === layoutPaths.index && size === index?.size);
    return isAs(tar) ? tar : iso;
  } catch (error) {
    if (error instanceof FormatError) return iso;
    throw error;
  }
}

/** Compares a file whose bytes are known, or lie in pieces. */
async function compareFile(
  { path, content, size }: CarrierFile,
  entry: TreeEntry,
  { file }: OpenedFiles,
): Promise<Finding[]> {
  try {
    if (content.kind === 'bytes') {
      const bytes = await entryReader(file, entry).read(0, size);
      if (isAsKnown(bytes, content)) return [];
      return [{ code: 'structure-mismatch', subject: path, message: 'differs from what the root makes of it' }];
    }
    if (content.kind === 'blob') for await (const _ of verified(entryBytes(file, entry), content.descriptor));
    return [];
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const code = error.code === 'truncated' ? 'truncated' : 'blob-mismatch';
    return [{ code, subject: path, message: error.message }];
  }
}
