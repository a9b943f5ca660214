import * as fs from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { text, utf8 } from '../../../formats/bytes.ts';
import { linesWithoutValue } from '../../../formats/manifest/env-file.ts';
import {
  fetchedBy,
  type Kustomization,
  kustomizationNames,
  parseKustomization,
  runsPrograms,
} from '../../../formats/manifest/kustomization.ts';
import { replaceReferences } from '../../../formats/manifest/kustomization-edit.ts';
import { codeOf, refused, SolpackError } from '../../kernel/events/index.ts';
import { contains, portable, readFile } from '../../kernel/files/index.ts';
import { locateFile } from './files.ts';
import type { RemoteParts } from './kind.ts';
import { exists, fetchCopy, isRemoteReference } from './remote-copies.ts';

/** A folder with a kustomization. */
export interface VisitedFolder {
  /** Where it is on this machine, and the folder that nothing in it may lead out of. */
  readonly folder: string;
  readonly root: string;
  /** Where it belongs in a tree whose top is the root of the first folder; begins with `/`. */
  readonly at: string;
  /** Its kustomization, where that refers to copies of what is remote. */
  readonly edited: { readonly name: string; readonly bytes: Uint8Array } | undefined;
}

/** The files and folders that the build of a kustomization reads. */
export interface KustomizationFiles {
  /**
   * Folders with a kustomization, each place once, the first one first: those that `resources`, `bases` and
   * `components` lead to.
   */
  readonly folders: readonly VisitedFolder[];
  /** Copies of files that are remote, and where in the same tree they belong. */
  readonly remoteFiles: readonly { readonly path: string; readonly at: string }[];
  /** Files with objects. */
  readonly resources: readonly string[];
  /** Namespaces into which one of the kustomizations puts its objects. */
  readonly namespaces: ReadonlySet<string>;
}

/**
 * Finds out what the build of the kustomization in `start` reads. Throws `component-invalid` where the build would need
 * a network, a program or a missing file, `path-escapes` where it would read outside of `root`. With `remote`, what
 * `resources`, `bases` and `components` name on a network is fetched.
 */
export async function kustomizationFiles(
  root: string,
  start: string,
  signal?: AbortSignal,
  remote?: RemoteParts,
): Promise<KustomizationFiles> {
  const visited = new Map<string, VisitedFolder>();
  const asPlugins = new Set<string>();
  const remoteFiles: { path: string; at: string }[] = [];
  const resources = new Set<string>();
  const namespaces = new Set<string>();
  /**
   * `isPlugin`: the folder configures plugins, and more of it is checked, also where it was visited as a folder of
   * objects before.
   */
  const visit = async (place: Place, above: readonly string[], isPlugin: boolean): Promise<void> => {
    signal?.throwIfAborted();
    const { folder, root: top, at } = place;
    if (above.includes(folder)) {
      throw invalid(folder, 'a kustomization contains itself', 'remove the reference that closes the circle');
    }
    if (isPlugin ? asPlugins.has(at) : visited.has(at)) return;
    if (isPlugin) asPlugins.add(at);
    if (!visited.has(at)) visited.set(at, { ...place, edited: undefined });
    const { file, kustomization, content } = await read(top, folder);
    await checkPlain(kustomization, file);
    if (kustomization.namespace !== undefined) namespaces.add(kustomization.namespace);
    for (const reference of kustomization.files) await fileIn(top, folder, file, reference);
    for (const reference of kustomization.envFiles) await requireValues(resolve(folder, reference));
    const copies = new Map<string, string>();
    for (const reference of [...kustomization.resources, ...kustomization.plugins]) {
      const configures = isPlugin || kustomization.plugins.includes(reference);
      if (remote && !configures && (await isRemoteReference(folder, reference))) {
        const copy = await refused('component-invalid', file, () => fetchCopy(reference, remote));
        copies.set(reference, copy.name);
        if (copy.root !== undefined) {
          const mounted = join(at, copy.mount);
          const inner = { folder: copy.path, root: copy.root, at: join(mounted, relative(copy.root, copy.path)) };
          await visit(inner, [...above, folder], false);
        } else {
          remoteFiles.push({ path: copy.path, at: join(at, copy.name) });
          resources.add(copy.path);
        }
        continue;
      }
      const target = await targetOf(top, folder, file, reference);
      const { stats } = await locateFile(top, target);
      const inner = { folder: target, root: top, at: resolve(at, relative(folder, target)) };
      if (stats.isDirectory()) await visit(inner, [...above, folder], configures);
      else await fileIn(top, folder, file, reference);
      if (!stats.isFile()) continue;
      if (configures) await checkPlugin(target, file);
      if (kustomization.resources.includes(reference)) resources.add(target);
    }
    if (copies.size === 0) return;
    const bytes = utf8(replaceReferences(content, copies));
    visited.set(at, { ...place, edited: { name: basename(file), bytes } });
  };
  const first = resolve(start);
  await visit({ folder: first, root, at: join('/', portable(relative(root, first))) }, [], false);
  return { folders: [...visited.values()], remoteFiles, resources: [...resources], namespaces };
}

type Place = Omit<VisitedFolder, 'edited'>;

/** Returns the deepest folder that holds all of `folders`, which are absolute. */
export function commonFolder(folders: readonly string[]): string {
  return folders.reduce((common, folder) => {
    let current = common;
    while (!contains(current, folder)) current = resolve(current, '..');
    return current;
  });
}

async function read(
  root: string,
  folder: string,
): Promise<{ file: string; kustomization: Kustomization; content: string }> {
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
  return refused(
    'component-invalid',
    file,
    async () => {
      const content = text(await readFile(file), 'yaml-invalid');
      return { file, kustomization: parseKustomization(content, name), content };
    },
    'correct the file; "kubectl kustomize" may show more',
  );
}

/** Returns the path that a reference leads to. It exists and lies in `root`. */
async function targetOf(root: string, folder: string, file: string, reference: string): Promise<string> {
  const target = resolve(folder, reference);
  if (await isRemoteReference(folder, reference)) {
    const hint = 'a component is built without a network: copy what it refers to beside the kustomization';
    throw invalid(file, `refers to ${reference}, which is remote`, hint);
  }
  if (isAbsolute(reference)) throw invalid(file, `refers to ${reference}, an absolute path`, 'use a relative path');
  if (!contains(root, target)) {
    throw new SolpackError('path-escapes', file, `refers to ${reference}, which is outside of ${root}`, {
      hint: 'keep all of it below the folder of the definition, or below the first folder that the path of the component names',
    });
  }
  if (!(await exists(target)))
    throw invalid(file, `refers to ${reference}, which does not exist`, 'correct the reference');
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
  throw invalid(file, `refers to ${reference} from inside a linked folder`, 'name the real folder, not the link');
}

async function fileIn(root: string, folder: string, file: string, reference: string): Promise<void> {
  const target = await targetOf(root, folder, file, reference);
  if (!contains(folder, target)) {
    const hint = 'kustomize only reads files in its own folder; put the file there, or refer to a folder';
    throw invalid(file, `refers to the file ${reference} outside of its folder`, hint);
  }
  const { stats } = await locateFile(root, target);
  if (!stats.isFile()) throw invalid(file, `refers to ${reference}, which is not a file`, 'name a file');
}

/**
 * Refuses an env file whose values are not all in it: kustomize would take them from the environment of whoever renders
 * it.
 */
async function requireValues(path: string): Promise<void> {
  const lines = linesWithoutValue(Buffer.from(await readFile(path)).toString());
  const [first] = lines;
  if (first === undefined) return;
  // The lines themselves may be parts of secrets.
  const which = lines.length === 1 ? 'a name without "="' : `names without "=" in the lines ${lines.join(', ')}`;
  const message = `has ${which}: kustomize would take the value from the environment of this machine`;
  throw new SolpackError('component-invalid', path, message, {
    position: { file: path, line: first, column: 1, length: 1 },
    hint: 'write NAME=VALUE there, or NAME= if the value is empty',
  });
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
    const hint = 'a component is built without a network: put a copy beside the kustomization';
    throw invalid(file, `refers to ${remote}, which is remote (${name})`, hint);
  }
  if (!(await refused('component-invalid', name, () => runsPrograms(content, name)))) return;
  const hint = 'use a transformer or generator that is built into kustomize, or a component with kind = "plugin"';
  throw invalid(file, `runs a program or a container (${name})`, hint);
}

function invalid(subject: string, message: string, hint: string, cause?: unknown): SolpackError {
  return new SolpackError('component-invalid', subject, message, { hint, cause });
}
