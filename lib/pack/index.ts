import type { Digest } from '../../formats/digest.ts';
import { sha256 } from '../../formats/digest.ts';
import type { Reference } from '../../formats/oci/reference.ts';
import { type Definition, DefinitionError, parseDefinition } from '../../formats/solution/definition.ts';
import type { Lock } from '../../formats/solution/lock.ts';
import {
  type ArchiveWriter,
  beginArchive,
  blobsOf,
  type CarrierKind,
  type Catalog,
  carrierFor,
  readCatalog,
} from '../archives/index.ts';
import { copy } from '../copy.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, lend, pool } from '../flow.ts';
import { readFile } from '../host.ts';
import type { NamedSource } from '../model.ts';
import { type PrivateKey, signRoot } from '../trust/index.ts';
import { type ResolvedComponent, resolveComponent } from './components.ts';
import { Content } from './content.ts';
import { type ResolvedImage, resolveImage } from './images.ts';
import { lockOf, lockPath, readLock, requireLocked, writeLock } from './lock.ts';
import { buildRoot, type Resolved } from './root.ts';

/** 1980-01-01T00:00:00Z: the date of an archive where nobody said another. */
const DEFAULT_CREATED = 315532800;

/** What to pack, and where to. Paths are absolute. */
export interface PackRequest {
  readonly definition: string;
  /** Ends in the extension of an archive format. */
  readonly output: string;
  /** Seconds since 1970 for every date in the archive; undefined is what the lock says, or 1980-01-01. */
  readonly created: number | undefined;
  readonly lock: 'use' | 'update' | 'locked';
  readonly sign: PrivateKey | undefined;
  /** Opens a repository to take images from. */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
}

/** What was packed. */
export interface PackResult {
  readonly path: string;
  readonly carrier: CarrierKind;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  /** Bytes. */
  readonly size: number;
  readonly images: number;
  readonly components: number;
  /** Id of the key it was signed with. */
  readonly keyId: string | undefined;
}

/**
 * Packs a definition into one archive: resolves every input to a digest, writes `solution.lock`, streams each content
 * into its place. Nothing is left behind where it fails. Throws `SolpackError`.
 */
export async function pack(request: PackRequest, flow: Flow): Promise<PackResult> {
  const carrier = carrierFor(request.output);
  const definition = await readDefinition(request.definition);
  const sources: NamedSource[] = [];
  try {
    const content = new Content();
    const path = lockPath(request.definition);
    const before = await readLock(path);
    const resolved = await resolve(definition, request, before, content, flow, (source) => sources.push(source));
    const rootBytes = await buildRoot(resolved, content, flow.signal);
    const lock = lockOf(resolved, sha256(rootBytes));
    if (request.lock === 'locked') requireLocked(path, before, lock);
    const catalog = await readCatalog(rootBytes, content, flow.signal);
    const bundles = request.sign ? [signRoot(rootBytes, request.sign)] : [];
    flow.onEvent({ type: 'step', step: 'write', subject: request.output });
    const size = await lend(await beginArchive(request.output, catalog, carrier, bundles), async (writer) => {
      await fill(writer, catalog, content, flow);
      await writeLock(path, lock);
      await writer.commit();
      return writer.size;
    });
    return {
      path: request.output,
      carrier: carrier.kind,
      name: definition.name,
      version: definition.version,
      root: catalog.root.digest,
      size,
      images: catalog.images.length,
      components: catalog.metadata.components.length,
      keyId: request.sign?.public.keyId,
    };
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}

/** Reads and checks a definition; throws `file-missing` or `definition-invalid`. */
async function readDefinition(path: string): Promise<Definition> {
  const bytes = await readFile(path);
  try {
    return parseDefinition(bytes);
  } catch (cause) {
    if (!(cause instanceof DefinitionError)) throw cause;
    const [first, ...more] = cause.problems;
    const rest = more.length > 0 ? `; also ${more.join('; ')}` : '';
    throw new SolpackError(
      'definition-invalid',
      `${path}:${first?.match(/^\d+:\d+/)?.[0] ?? '1:1'}`,
      `${first?.replace(/^\d+:\d+: /, '')}${rest}`,
      {
        cause,
        hint: 'correct it; docs/format.md lists every field',
      },
    );
  }
}

async function resolve(
  definition: Definition,
  request: PackRequest,
  lock: Lock | undefined,
  content: Content,
  flow: Flow,
  opened: (source: NamedSource) => void,
): Promise<Resolved> {
  const components: ResolvedComponent[] = [];
  for (const component of definition.components) {
    flow.onEvent({ type: 'step', step: 'collect', subject: `${component.kind} ${component.name}` });
    components.push(await resolveComponent(component, request.definition, content, flow.signal));
  }
  const images = new Map<string, ResolvedImage>();
  const options = { path: request.definition, lock, mode: request.lock, connect: request.connect };
  await pool(definition.images, { signal: flow.signal }, async (image, signal) => {
    flow.onEvent({ type: 'step', step: 'resolve', subject: image.reference });
    images.set(image.reference, await resolveImage(image, options, { ...flow, signal }, opened));
  });
  const inOrder = definition.images.map(({ reference }) => images.get(reference)!);
  for (const { closure, source } of inOrder) content.addClosure(closure, source);
  return { definition, images: inOrder, components, created: request.created ?? lock?.created ?? DEFAULT_CREATED };
}

async function fill(writer: ArchiveWriter, catalog: Catalog, content: Content, flow: Flow): Promise<void> {
  const transfers = blobsOf(catalog).map((descriptor) => content.transfer(descriptor));
  const total = transfers.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  let done = 0;
  await copy([transfers], writer, {
    signal: flow.signal,
    onBytes: (count) => {
      done += count;
      flow.onEvent({ type: 'progress', step: 'write', done, total });
    },
  });
}
