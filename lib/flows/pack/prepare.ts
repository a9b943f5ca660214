import { dirname } from 'node:path';
import { type Digest, sha256 } from '../../../formats/digest.ts';
import type { Reference } from '../../../formats/oci/reference.ts';
import { type Definition, parseDefinition, probeError } from '../../../formats/solution/definition.ts';
import type { Lock } from '../../../formats/solution/lock.ts';
import { UNDATED } from '../../../formats/solution/metadata.ts';
import type { NamedSource } from '../../kernel/content/index.ts';
import { type Flow, pool, refused } from '../../kernel/events/index.ts';
import { keepSchema, readFile } from '../../kernel/files/index.ts';
import { isWritable } from '../../kernel/machine/index.ts';
import type { Daemons, ImageSourceContext } from '../../parts/images/index.ts';
import type { SourceConnections } from '../../parts/sources/index.ts';
import { openArchiveImages } from './archive-images.ts';
import type { About } from './attestations.ts';
import { openComponentSources } from './component-sources.ts';
import { type ResolvedComponent, resolveComponent } from './components.ts';
import { Content } from './content.ts';
import { type ResolvedImage, resolveImage } from './images.ts';
import { resolveInstaller } from './installer.ts';
import type { InstallerRequest } from './installer-programs.ts';
import { lockPath, readLock, requireWritableLock } from './lock.ts';
import { type LockMode, lockedImage, requireKnown, requireNamed } from './lock-mode.ts';
import { requireMetalk8sNames } from './metalk8s-names.ts';
import type { Inputs } from './root.ts';
import { type GivenSbom, readGivenSbom } from './sbom-given.ts';

/** What decides the inputs of a definition. Paths are absolute. */
export interface InputsRequest {
  readonly definition: string;
  /**
   * Date of everything in the archive, in seconds since 1970. Left out: the date of the definition or the lock, or
   * 1980-01-01.
   */
  readonly created?: number | undefined;
  /** How the lock is used. Left out: `use`. */
  readonly lock?: LockMode | undefined;
  /** Where the lock is read and written. Left out: `solution.lock` beside the definition. */
  readonly lockFile?: string | undefined;
  /** Fetches foreign layers of all images, whatever the definition says. Left out: false. */
  readonly allowForeignLayers?: boolean | undefined;
  /** Refuses also what only seems to be an image that is not held. Left out: false. */
  readonly strict?: boolean | undefined;
  /** What else clusters serve, as `group/version` and `group/version/Kind`. Left out: nothing. */
  readonly apiVersions?: readonly string[] | undefined;
  /** Where the daemons of this machine listen, for images that are taken from them. */
  readonly daemons?: Daemons | undefined;
  /** Opens a repository to take images from. */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
  /** How components are fetched that lie elsewhere; left out, they are refused. */
  readonly sources?: SourceConnections | undefined;
  /** Whether what is fetched for components is kept beside the definition; left out: false. */
  readonly keepSources?: boolean | undefined;
  /** Whether the lock is written afterwards; left out: false. */
  readonly writesLock?: boolean | undefined;
  /** The programs that the archive is to bring along; left out: none. */
  readonly installer?: InstallerRequest | undefined;
  /** Whether the archive has the view that the importer of MetalK8s asks for. Left out: false. */
  readonly metalk8s?: boolean | undefined;
}

/** A definition whose every input is known by its digest. Disposing of it closes the sources of images. */
export interface PreparedInputs extends AsyncDisposable {
  readonly inputs: Inputs;
  /** Of the definition's bytes. */
  readonly digest: Digest;
  readonly content: Content;
  /** The lock that was there, and where it lies. */
  readonly before: Lock | undefined;
  readonly lockFile: string;
}

/** A definition and its lock, of which nothing is resolved. */
export interface ReadInputs {
  readonly definition: Definition;
  readonly digest: Digest;
  readonly bytes: Uint8Array;
  /** The lock; undefined where there is none. */
  readonly before: Lock | undefined;
  readonly lockFile: string;
}

/** Reads a definition and its lock. Throws `file-missing`, `definition-invalid`, `lock-mismatch`. */
export async function readInputs(request: Pick<InputsRequest, 'definition' | 'lockFile'>): Promise<ReadInputs> {
  const lockFile = request.lockFile ?? lockPath(request.definition);
  return { ...(await readDefinition(request.definition)), before: await readLock(lockFile), lockFile };
}

/** Resolves everything that a definition names to a digest. Throws `SolpackError`. */
export async function prepare(request: InputsRequest, flow: Flow): Promise<PreparedInputs> {
  return prepareRead(await readInputs(request), request, flow);
}

/** Does the same with a definition and a lock that were read, and may differ from the files. */
export async function prepareRead(
  { definition, digest, bytes, before, lockFile }: ReadInputs,
  request: InputsRequest,
  flow: Flow,
): Promise<PreparedInputs> {
  if (request.metalk8s) requireMetalk8sNames(definition, request.definition);
  if (request.writesLock && !before) await requireWritableLock(lockFile, undefined);
  requireKnown(definition, before, request.lock ?? 'use');
  if (request.lock === 'locked') requireNamed(definition.images, before);
  // A definition on a medium that is read only is packed all the same.
  const keepSources = request.keepSources === true && (await isWritable(dirname(request.definition)));
  if (keepSources) await keepSchema(request.definition, bytes, flow);
  const content = new Content();
  const sources: Closeable[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(sources.map((source) => source.close()));
  };
  try {
    const inputs = await resolve(definition, { ...request, keepSources }, before, content, flow, (source) =>
      sources.push(source),
    );
    return { inputs, digest, content, before, lockFile, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads and checks a definition. Throws `file-missing` or `definition-invalid`. */
export async function readDefinition(path: string): Promise<Pick<ReadInputs, 'definition' | 'digest' | 'bytes'>> {
  return checkDefinitionBytes(path, await readFile(path));
}

/** Checks the bytes of a definition, which messages call `path`. Throws `definition-invalid`. */
export async function checkDefinitionBytes(
  path: string,
  bytes: Uint8Array,
): Promise<Pick<ReadInputs, 'definition' | 'digest' | 'bytes'>> {
  const hint = 'correct it; "solpack docs format" lists every field';
  const definition = await refused('definition-invalid', path, () => parseDefinition(bytes), hint);
  await refused('definition-invalid', path, () => requireProbes(definition, bytes), hint);
  return { definition, digest: sha256(bytes), bytes };
}

/** Throws `PositionedError` where an expression is none. What reads CEL is loaded only if there is some. */
async function requireProbes(definition: Definition, bytes: Uint8Array): Promise<void> {
  if (definition.components.every(({ ready }) => ready.length === 0)) return;
  const { probeProblems } = await import('../../../formats/solution/check-probes.ts');
  const problems = probeProblems(definition.components);
  if (problems.length > 0) throw probeError(bytes, problems);
}

/** Something that is open as long as the inputs are needed. */
interface Closeable {
  close(): Promise<void>;
}

async function resolve(
  definition: Definition,
  request: InputsRequest,
  lock: Lock | undefined,
  content: Content,
  flow: Flow,
  opened: (source: Closeable) => void,
): Promise<Inputs> {
  const components: ResolvedComponent[] = [];
  const { definition: path, lock: mode = 'use', sources: connections, keepSources: keeps = false } = request;
  const sources = openComponentSources({ definition: path, lock, mode, connections, keeps }, flow);
  opened({ close: async () => sources[Symbol.asyncDispose]() });
  for (const [index, component] of definition.components.entries()) {
    const place = { number: index + 1, of: definition.components.length };
    flow.onEvent({ type: 'step', step: 'collect', subject: `${component.kind} ${component.name}`, ...place });
    components.push(await resolveComponent(component, sources, content, flow));
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
  let asked = 0;
  await pool(definition.images, { signal: flow.signal }, async (image, signal) => {
    asked += 1;
    const place = { number: asked, of: definition.images.length };
    flow.onEvent({ type: 'step', step: 'resolve', subject: image.reference, ...place });
    const locked = lockedImage(image, lock, request.lock ?? 'use');
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
  const installer = request.installer && (await resolveInstaller(request.installer, content, flow));
  return {
    definition,
    images: inOrder,
    components,
    given,
    ...(installer === undefined ? {} : { installer }),
    ...(request.metalk8s ? { metalk8s: true } : {}),
    created: request.created ?? definition.created ?? lock?.created ?? UNDATED,
  };
}
