import { dirname, resolve } from 'node:path';
import type { Digest } from '../../formats/digest.ts';
import { parseConfiguration, type SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import { type Archive, openArchive } from '../archives/index.ts';
import type { ClusterTarget } from '../clusters/index.ts';
import { refused, SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { readFile } from '../host.ts';
import { type RegistryOptions, startRegistry } from '../registries/index.ts';
import { registryEvents, servedContent } from '../serve/index.ts';
import type { PublicKey } from '../trust/index.ts';
import { verifyOpened } from '../verify/index.ts';
import { choose } from './choose.ts';
import { type Loaded, pushImages, requireServed } from './load.ts';
import { renderSolution } from './render.ts';

/** Where images go. */
export type LoadTarget =
  /** The embedded registry, for as long as the install runs. */
  | { readonly kind: 'embedded'; readonly host: string; readonly port: number }
  /** A registry that they are pushed to. */
  | { readonly kind: 'registry'; readonly url: string; readonly options: RegistryOptions }
  /** A running `solpack serve`, which is asked whether it has them. */
  | { readonly kind: 'served'; readonly url: string; readonly options: RegistryOptions };

/** What to install. Paths are absolute. */
export interface InstallRequest {
  /** The SolutionsConfiguration. */
  readonly configuration: string;
  /** Keys of which one has to have signed each active archive; none checks integrity alone. */
  readonly keys: readonly PublicKey[];
  readonly load: LoadTarget;
  /** Where rendered objects go; undefined stops after the images. */
  readonly cluster: ClusterTarget | undefined;
}

/** One Solution that is active after an install. */
export interface InstalledSolution {
  readonly name: string;
  readonly version: string;
  readonly archive: string;
  readonly root: Digest;
  /** Ids of the given keys that have signed it. */
  readonly signers: readonly string[];
  /** What was written or applied, in order. */
  readonly applied: readonly string[];
}

/** What an install did. */
export interface InstallResult extends Loaded {
  readonly solutions: readonly InstalledSolution[];
  /** Where the images can be pulled from. */
  readonly registry: string;
}

/**
 * Reads a SolutionsConfiguration, opens its archives, chooses a version of each Solution, verifies those, loads their
 * images and renders their components. `hold` is called while the embedded registry still serves. Throws
 * `configuration-invalid`, `version-conflict`, `version-absent`, `not-trusted`, `verification-failed`, and what loading
 * and rendering throw.
 */
export async function install(
  request: InstallRequest,
  flow: Flow,
  hold: (result: InstallResult) => Promise<void> = async () => undefined,
): Promise<InstallResult> {
  const configuration = await readConfiguration(request.configuration);
  const archives = await openAll(request.configuration, configuration, flow);
  try {
    const active = choose(configuration, archives);
    for (const { name, version, path } of active)
      flow.onEvent({ type: 'step', step: 'choose', subject: `${name} ${version} (${path})` });
    const signers: (readonly string[])[] = [];
    for (const { archive } of active) signers.push(await requireVerified(archive, request.keys, flow));
    return await loadAndRender(
      active.map(({ archive }) => archive),
      signers,
      request,
      flow,
      hold,
    );
  } finally {
    await Promise.all(archives.map(({ archive }) => archive[Symbol.asyncDispose]()));
  }
}

/** The archives that a SolutionsConfiguration names, as absolute paths, each once. Throws `configuration-invalid`. */
export async function configuredArchives(path: string): Promise<string[]> {
  const { groups } = await readConfiguration(path);
  return [...new Set(groups.flatMap(({ archives }) => archives.map((archive) => resolve(dirname(path), archive))))];
}

async function readConfiguration(path: string): Promise<SolutionsConfiguration> {
  const bytes = await readFile(path);
  return refused('configuration-invalid', path, () => parseConfiguration(bytes), 'docs/format.md shows both forms');
}

interface Opened {
  readonly archive: Archive;
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly group: string | undefined;
}

async function openAll(path: string, { groups }: SolutionsConfiguration, flow: Flow): Promise<Opened[]> {
  const opened: Opened[] = [];
  try {
    for (const { name: group, archives } of groups) {
      for (const file of new Set(archives.map((archive) => resolve(dirname(path), archive)))) {
        flow.onEvent({ type: 'step', step: 'open', subject: file });
        const archive = await openArchive(file, flow.signal);
        const { name, version } = archive.catalog.metadata;
        opened.push({ archive, path: file, name, version, group });
      }
    }
    return opened;
  } catch (error) {
    await Promise.all(opened.map(({ archive }) => archive[Symbol.asyncDispose]()));
    throw error;
  }
}

async function requireVerified(archive: Archive, keys: readonly PublicKey[], flow: Flow): Promise<readonly string[]> {
  const { path } = archive;
  const { ok, trusted, findings, signers } = await verifyOpened(archive, path, keys, flow);
  const integrity = findings.filter(({ code }) => code !== 'signature-untrusted');
  const [first] = integrity;
  if (first) {
    const more = integrity.length > 1 ? ` (and ${integrity.length - 1} more)` : '';
    throw new SolpackError('verification-failed', path, `${first.subject}: ${first.message}${more}`, {
      hint: `"solpack verify ${path}" lists all of it; fetch the archive again`,
    });
  }
  if (trusted === false) {
    throw new SolpackError('not-trusted', path, findings[0]?.message ?? 'not signed by the given key', {
      hint: 'ask its publisher for a signed archive, or for the right public key',
    });
  }
  if (ok && trusted === undefined) {
    flow.onEvent({
      type: 'notice',
      subject: path,
      message: 'its bytes are intact, but nobody checked who made it: give --key',
    });
  }
  return signers;
}

async function loadAndRender(
  archives: readonly Archive[],
  signers: readonly (readonly string[])[],
  request: InstallRequest,
  flow: Flow,
  hold: (result: InstallResult) => Promise<void>,
): Promise<InstallResult> {
  const { load } = request;
  const embedded =
    load.kind === 'embedded'
      ? await startRegistry(archives.map(servedContent), { host: load.host, port: load.port, ...registryEvents(flow) })
      : undefined;
  try {
    const registry = embedded?.url ?? (load as { url: string }).url;
    const loaded =
      load.kind === 'registry'
        ? await pushImages(archives, load.url, load.options, flow)
        : await requireServed(archives, registry, load.kind === 'served' ? load.options : {}, flow);
    const names =
      load.kind === 'registry' ? loaded.images.map(({ reference, target }) => [reference, target] as const) : [];
    const solutions: InstalledSolution[] = [];
    for (const [index, archive] of archives.entries()) {
      const { metadata, root } = archive.catalog;
      const rendered = request.cluster ? await renderSolution(archive, new Map(names), flow) : undefined;
      const applied = rendered && request.cluster ? await request.cluster.apply(rendered, flow) : [];
      const { name, version } = metadata;
      solutions.push({
        name,
        version,
        archive: archive.path,
        root: root.digest,
        signers: signers[index] ?? [],
        applied,
      });
    }
    const result = { ...loaded, registry, solutions };
    if (embedded) await hold(result);
    return result;
  } finally {
    await embedded?.close();
  }
}
