import { dirname } from 'node:path';
import type { Digest } from '../../formats/digest.ts';
import { sha256 } from '../../formats/digest.ts';
import type { Reference } from '../../formats/oci/reference.ts';
import { type Definition, parseDefinition } from '../../formats/solution/definition.ts';
import type { Lock } from '../../formats/solution/lock.ts';
import { UNDATED } from '../../formats/solution/metadata.ts';
import {
  type CarrierKind,
  type Catalog,
  carrierFor,
  carriers,
  readCatalog,
  type SlotBundles,
} from '../archives/index.ts';
import { refused } from '../errors.ts';
import { type Flow, pool } from '../flow.ts';
import type { Daemons, ImageSourceContext } from '../images/index.ts';
import type { NamedSource } from '../model.ts';
import { readFile } from '../open-file.ts';
import { readStatement } from '../solutions/statement.ts';
import { type Signer, signRoot, signStatementBy } from '../trust/index.ts';
import { type Crew, crewSize, hire, isWorthwhile } from '../workers/crew.ts';
import { openArchiveImages } from './archive-images.ts';
import type { About } from './attestations.ts';
import { attestationsOf } from './collect-attestations.ts';
import { type ResolvedComponent, resolveComponent } from './components.ts';
import { Content } from './content.ts';
import { type ResolvedImage, resolveImage } from './images.ts';
import { lockInputs, lockPath, readLock, requireLocked, withRoot, writeLock } from './lock.ts';
import { type LockMode, lockedImage, requireKnown, requireNamed } from './lock-mode.ts';
import { type ByteSink, type FileOptions, writeToFile, writeToSink } from './output.ts';
import { buildRoot, type Inputs } from './root.ts';
import { type GivenSbom, readGivenSbom } from './sbom-given.ts';

export type { Daemons } from '../images/index.ts';
export { type LockMode, normalReference } from './lock-mode.ts';
export type { ByteSink } from './output.ts';

/** What to pack, and where to write it. Paths are absolute. */
export interface PackRequest extends FileOptions {
  readonly definition: string;
  /** A path, or a sink that receives the bytes in order. */
  readonly output: string | ByteSink;
  /** The archive format; undefined means the one of the path's extension. A sink needs one. */
  readonly format?: CarrierKind | undefined;
  /**
   * Date of everything in the archive, in seconds since 1970; undefined means the date of the definition or the lock,
   * or 1980-01-01.
   */
  readonly created: number | undefined;
  readonly lock: LockMode;
  /** Fetches foreign layers of all images, whatever the definition says. Left out: false. */
  readonly allowForeignLayers?: boolean | undefined;
  /** Where the daemons of this machine listen, for images that are taken from them. */
  readonly daemons?: Daemons | undefined;
  readonly sign: Signer | undefined;
  /** Opens a repository to take images from. */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
}

/** What was packed. */
export interface PackResult {
  /** Path of the archive, or name of the sink. */
  readonly path: string;
  readonly carrier: CarrierKind;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  /** Bytes. */
  readonly size: number;
  readonly images: number;
  readonly components: number;
  /** Id of the key that signed it; undefined where none did. */
  readonly keyId: string | undefined;
}

/**
 * Packs a definition into one archive: resolves every input to a digest, writes `solution.lock`, and streams each
 * content into its place. Leaves nothing behind where it fails, unless `resume` is set. Throws `SolpackError`.
 */
export async function pack(request: PackRequest, flow: Flow): Promise<PackResult> {
  const { output } = request;
  const name = typeof output === 'string' ? output : output.name;
  const carrier = request.format ? carriers[request.format] : carrierFor(name);
  const { definition, digest } = await readDefinition(request.definition);
  const sources: NamedSource[] = [];
  let crew: Crew | undefined;
  try {
    const content = new Content();
    const path = lockPath(request.definition);
    const before = await readLock(path);
    requireKnown(definition, request.lock);
    if (request.lock === 'locked') requireNamed(definition.images, before);
    const inputs = await resolve(definition, request, before, content, flow, (source) => sources.push(source));
    if (typeof output === 'string' && isWorthwhile(content.locatable(), request.workers)) {
      // The threads start while the rest is prepared.
      crew = hire(crewSize(request.workers));
    }
    const attestations = await attestationsOf(inputs, digest, content, flow);
    const rootBytes = await buildRoot({ ...inputs, attestations }, content, flow.signal);
    const lock = withRoot(lockInputs(inputs), sha256(rootBytes));
    if (request.lock === 'locked') requireLocked(path, before, lock);
    const catalog = await readCatalog(rootBytes, content, flow.signal);
    const slots = await signaturesOf(catalog, content, request.sign, flow);
    const prepared = { catalog, carrier, content, slots, crew };
    flow.onEvent({ type: 'step', step: 'write', subject: name });
    const size =
      typeof output === 'string'
        ? await writeToFile(output, prepared, request, () => writeLock(path, lock), flow)
        : await writeToSink(output, prepared, flow);
    if (typeof output !== 'string') await writeLock(path, lock);
    return {
      path: name,
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
    await crew?.[Symbol.asyncDispose]();
    await Promise.all(sources.map((source) => source.close()));
  }
}

/** Makes the bundles for the slots of an archive that `signer` signs, each when it is written. */
async function signaturesOf(
  catalog: Catalog,
  content: Content,
  signer: Signer | undefined,
  flow: Flow,
): Promise<SlotBundles> {
  if (!signer) return {};
  return {
    bundles: [await signRoot(catalog.rootBytes, signer, flow)],
    attest: async (attestation) =>
      signStatementBy(await readStatement(content, catalog, attestation, flow.signal), signer, flow),
  };
}

/** Reads and checks a definition. Throws `file-missing` or `definition-invalid`. */
async function readDefinition(path: string): Promise<{ definition: Definition; digest: Digest }> {
  const bytes = await readFile(path);
  const hint = 'correct it; docs/format.md lists every field';
  const definition = await refused('definition-invalid', path, () => parseDefinition(bytes), hint);
  return { definition, digest: sha256(bytes) };
}

async function resolve(
  definition: Definition,
  request: PackRequest,
  lock: Lock | undefined,
  content: Content,
  flow: Flow,
  opened: (source: NamedSource) => void,
): Promise<Inputs> {
  const components: ResolvedComponent[] = [];
  for (const component of definition.components) {
    flow.onEvent({ type: 'step', step: 'collect', subject: `${component.kind} ${component.name}` });
    components.push(await resolveComponent(component, request.definition, content, flow.signal));
  }
  const images = new Map<string, ResolvedImage>();
  const context: ImageSourceContext = {
    folder: dirname(request.definition),
    connect: request.connect,
    openArchive: openArchiveImages,
    host: flow.host,
    daemons: request.daemons ?? {},
  };
  const options = {
    context,
    namesToo: request.lock !== 'locked',
    allowForeignLayers: request.allowForeignLayers === true,
  };
  await pool(definition.images, { signal: flow.signal }, async (image, signal) => {
    flow.onEvent({ type: 'step', step: 'resolve', subject: image.reference });
    const locked = lockedImage(image, lock, request.lock);
    images.set(image.reference, await resolveImage(image, { ...options, locked }, { ...flow, signal }, opened));
  });
  const inOrder = definition.images.map(({ reference }) => images.get(reference)!);
  for (const { closure, source, foreign, referrers } of inOrder) {
    content.addClosure(closure, source, foreign);
    for (const referrer of referrers) content.addClosure(referrer.closure, source);
  }
  const given: GivenSbom[] = [];
  const readSbom = async (path: string | undefined, about?: About): Promise<void> => {
    if (path !== undefined) given.push(await readGivenSbom(path, request.definition, about, content));
  };
  await readSbom(definition.sbom);
  for (const { definition: named, descriptor } of inOrder) {
    await readSbom(named.sbom, { reference: named.reference, digest: descriptor.digest, platform: undefined });
  }
  return {
    definition,
    images: inOrder,
    components,
    given,
    created: request.created ?? definition.created ?? lock?.created ?? UNDATED,
  };
}
