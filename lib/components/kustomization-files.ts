import * as fs from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { text } from '../../formats/bytes.ts';
import {
  fetchedBy,
  isRemote,
  type Kustomization,
  kustomizationNames,
  parseKustomization,
  runsPrograms,
} from '../../formats/manifest/kustomization.ts';
import { refused, SolpackError } from '../errors.ts';
import { readFile } from '../open-file.ts';
import { contains, portable } from '../paths.ts';
import { codeOf } from '../system-errors.ts';
import { locateFile } from './files.ts';

/** The files and folders that the build of a kustomization reads. */
export interface KustomizationFiles {
  /**
   * Folders with a kustomization, each once, the first one first: those that `resources`, `bases` and `components` lead
   * to.
   */
  readonly folders: readonly string[];
  /** Files with objects. */
  readonly resources: readonly string[];
  /** Namespaces into which one of the kustomizations puts its objects. */
  readonly namespaces: ReadonlySet<string>;
}

/**
 * Finds out what the build of the kustomization in `start` reads. Throws `component-invalid` where the build would need
 * a network, a program or a missing file, `path-escapes` where it would read outside of `root`.
 */
export async function kustomizationFiles(
  root: string,
  start: string,
  signal?: AbortSignal,
): Promise<KustomizationFiles> {
  const visited = new Set<string>();
  const asPlugins = new Set<string>();
  const resources = new Set<string>();
  const namespaces = new Set<string>();
  /**
   * `isPlugin`: the folder configures plugins, and more of it is checked, also where it was visited as a folder of
   * objects before.
   */
  const visit = async (folder: string, above: readonly string[], isPlugin: boolean): Promise<void> => {
    signal?.throwIfAborted();
    if (above.includes(folder)) {
      throw invalid(folder, 'a kustomization contains itself', 'remove the reference that leads back');
    }
    const seen = isPlugin ? asPlugins : visited;
    if (seen.has(folder)) return;
    seen.add(folder);
    visited.add(folder);
    const { file, kustomization } = await read(root, folder);
    await checkPlain(kustomization, file);
    if (kustomization.namespace !== undefined) namespaces.add(kustomization.namespace);
    for (const reference of kustomization.files) await fileIn(root, folder, file, reference);
    for (const reference of [...kustomization.resources, ...kustomization.plugins]) {
      const target = await targetOf(root, folder, file, reference);
      const { stats } = await locateFile(root, target);
      const configures = isPlugin || kustomization.plugins.includes(reference);
      if (stats.isDirectory()) await visit(target, [...above, folder], configures);
      else await fileIn(root, folder, file, reference);
      if (!stats.isFile()) continue;
      if (configures) await checkPlugin(target, file);
      if (kustomization.resources.includes(reference)) resources.add(target);
    }
  };
  await visit(resolve(start), [], false);
  return { folders: [...visited], resources: [...resources], namespaces };
}

/** Returns the deepest folder that holds all of `folders`, which are absolute. */
export function commonFolder(folders: readonly string[]): string {
  return folders.reduce((common, folder) => {
    let current = common;
    while (!contains(current, folder)) current = resolve(current, '..');
    return current;
  });
}

async function read(root: string, folder: string): Promise<{ file: string; kustomization: Kustomization }> {
  const names = await fs.readdir(folder).catch((cause) => {
    throw invalid(folder, `cannot be read as a folder: ${codeOf(cause)}`, 'name the folder of a kustomization', cause);
  });
  const found = kustomizationNames.filter((name) => names.includes(name));
  if (found.length !== 1) {
    const message = found.length === 0 ? 'holds no kustomization' : `holds ${found.join(' and ')}`;
    throw invalid(folder, message, `there must be exactly one of ${kustomizationNames.join(', ')}`);
  }
  const file = join(folder, found[0]!);
  const { stats } = await locateFile(root, file);
  if (!stats.isFile()) throw invalid(file, 'is not a file', 'a kustomization is a YAML file');
  const name = portable(relative(root, file));
  const kustomization = await refused(
    'component-invalid',
    file,
    async () => parseKustomization(text(await readFile(file), 'yaml-invalid'), name),
    'correct the file; "kubectl kustomize" may tell more',
  );
  return { file, kustomization };
}

/** Returns the path that a reference leads to. It exists and lies in `root`. */
async function targetOf(root: string, folder: string, file: string, reference: string): Promise<string> {
  const target = resolve(folder, reference);
  const exists = await fs.lstat(target).then(
    () => true,
    () => false,
  );
  if (reference.includes('://') || (!exists && isRemote(reference))) {
    const hint = 'an archive is built where there is no network: copy what it refers to beside the kustomization';
    throw invalid(file, `refers to ${reference}, which is remote`, hint);
  }
  if (isAbsolute(reference)) throw invalid(file, `refers to ${reference}, an absolute path`, 'use a relative path');
  if (!contains(root, target)) {
    throw new SolpackError('path-escapes', file, `refers to ${reference}, which is outside of ${root}`, {
      hint: 'keep all that a Solution needs below the folder of its definition',
    });
  }
  if (!exists) throw invalid(file, `refers to ${reference}, which does not exist`, 'correct the reference');
  await checkLinked(folder, file, reference);
  return target;
}

/**
 * Checks a reference that passes through links. Kustomize resolves ".." from the real place of a linked folder; in an
 * archive links are folders, so both must agree.
 */
async function checkLinked(folder: string, file: string, reference: string): Promise<void> {
  const asBuilt = resolve(await fs.realpath(folder), reference);
  const [found, expected] = await Promise.all(
    [asBuilt, resolve(folder, reference)].map((path) => fs.realpath(path).catch(() => undefined)),
  );
  if (found === expected) return;
  throw invalid(file, `refers to ${reference} from within a linked folder`, 'name the real folder, not the link');
}

async function fileIn(root: string, folder: string, file: string, reference: string): Promise<void> {
  const target = await targetOf(root, folder, file, reference);
  if (!contains(folder, target)) {
    const hint = 'kustomize reads files in its own folder alone; put the file there, or refer to a folder';
    throw invalid(file, `refers to the file ${reference} outside of its folder`, hint);
  }
  const { stats } = await locateFile(root, target);
  if (!stats.isFile()) throw invalid(file, `refers to ${reference}, which is not a file`, 'name a file');
}

async function checkPlain(kustomization: Kustomization, file: string): Promise<void> {
  if (kustomization.charts) {
    throw invalid(file, 'inflates Helm charts', 'add the chart as a component of its own, with kind = "helm"');
  }
  for (const inline of kustomization.inlinePlugins) await refusePlugin(inline, file, file);
}

async function checkPlugin(target: string, file: string): Promise<void> {
  const content = await refused('component-invalid', target, async () => text(await readFile(target), 'yaml-invalid'));
  await refusePlugin(content, target, file);
}

async function refusePlugin(content: string, name: string, file: string): Promise<void> {
  const remote = await refused('component-invalid', name, () => fetchedBy(content, name));
  if (remote !== undefined) {
    const hint = 'an archive is built where there is no network: put a copy beside the kustomization';
    throw invalid(file, `refers to ${remote}, which is remote (${name})`, hint);
  }
  if (!(await refused('component-invalid', name, () => runsPrograms(content, name)))) return;
  const hint = 'use what is built into kustomize, or a component with kind = "plugin"';
  throw invalid(file, `runs a program or a container (${name})`, hint);
}

function invalid(subject: string, message: string, hint: string, cause?: unknown): SolpackError {
  return new SolpackError('component-invalid', subject, message, { hint, cause });
}
