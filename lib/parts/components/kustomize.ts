import { join } from 'node:path';
import { once, text } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { type KubernetesObject, parseDocuments } from '../../../formats/manifest/documents.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import { fileAt, listFiles, locateFile, sorted } from './files.ts';
import type { Collected, CollectedFile, ComponentKind, StatedObject } from './kind.ts';
import { commonFolder, kustomizationFiles } from './kustomization-files.ts';
import { requireOpenNamespace, requireUnreserved } from './reserved.ts';
import { requireUnrounded } from './rounded-integers.ts';
import { buildKustomization } from './tools.ts';

/**
 * Kind `kustomize`: a folder with a kustomization, and every other folder that it builds on. They are stored below the
 * deepest folder that holds them all, so that references such as `../../base` stay valid; `entry` leads to the first
 * folder. What is remote is stored below the folder that refers to it, as `kustomize localize` does it, and the
 * kustomization there refers to that.
 */
export const kustomize: ComponentKind = {
  kind: 'kustomize',
  isFixed: true,

  collect: async (spec, signal): Promise<Collected> => {
    const { stats } = await locateFile(spec.root, spec.path);
    if (!stats.isDirectory()) {
      throw new SolpackError('component-invalid', spec.path, 'is a file', {
        hint: 'name the folder that holds the kustomization',
      });
    }
    const { folders, resources, namespaces, remoteFiles } = await kustomizationFiles(
      spec.root,
      spec.path,
      signal,
      spec.remote,
    );
    for (const namespace of namespaces) requireOpenNamespace(spec.name, namespace);
    for (const file of resources) requireUnreserved(spec.name, await objectsIn(file));
    const top = commonFolder(folders.map(({ at }) => at));
    const files = new Map<string, CollectedFile>();
    const add = (file: CollectedFile, at: string): void => {
      const path = at.slice(top === '/' ? 1 : top.length + 1);
      files.set(path, { ...file, path });
    };
    for (const { folder, root, at } of folders) {
      for (const file of await listFiles(root, folder, { signal })) add(file, join(at, file.path));
    }
    for (const { path, at } of remoteFiles) add(fileAt(path, at, (await locateFile(path, path)).stats), at);
    for (const { at, edited } of folders) if (edited) add(inMemory(edited.bytes), join(at, edited.name));
    const entry = folders[0]!.at.slice(top === '/' ? 1 : top.length + 1);
    return { files: sorted([...files.values()]), entry, values: [] };
  },

  render: async (component, flow): Promise<StatedObject[]> => {
    const folder = join(component.folder, component.entry);
    await kustomizationFiles(component.folder, folder, flow.signal);
    const objects = await buildKustomization(folder, component.name, flow);
    await requireUnrounded(component.name, objects, component.folder, flow.signal);
    return objects;
  },
};

/** Makes a file of a kustomization that refers to copies of what was remote. */
function inMemory(bytes: Uint8Array): CollectedFile {
  return { path: '', mode: 0o644, size: bytes.length, open: () => once(bytes) };
}

/** Reads the objects of a file, as far as that is possible before the build. Errors in it are left to kustomize. */
async function objectsIn(file: string): Promise<KubernetesObject[]> {
  try {
    return parseDocuments(text(await readFile(file), 'yaml-invalid'), file);
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}
