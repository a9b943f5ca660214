import { join, relative, resolve } from 'node:path';
import { text } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { type KubernetesObject, parseDocuments } from '../../formats/manifest/documents.ts';
import { SolpackError } from '../errors.ts';
import { readFile } from '../open-file.ts';
import { portable } from '../paths.ts';
import { listFiles, locateFile, sorted } from './files.ts';
import type { Collected, CollectedFile, ComponentKind, StatedObject } from './kind.ts';
import { commonFolder, kustomizationFiles } from './kustomization-files.ts';
import { requireOpenNamespace, requireUnreserved } from './reserved.ts';
import { buildKustomization } from './tools.ts';

/**
 * Kind `kustomize`: a folder with a kustomization, and every other folder that it builds on. They are stored below the
 * deepest folder that holds them all, so that references such as `../../base` stay valid; `entry` leads to the first
 * folder.
 */
export const kustomize: ComponentKind = {
  kind: 'kustomize',

  collect: async (spec, signal): Promise<Collected> => {
    const { stats } = await locateFile(spec.root, spec.path);
    if (!stats.isDirectory()) {
      throw new SolpackError('component-invalid', spec.path, 'is a file', {
        hint: 'name the folder that holds the kustomization',
      });
    }
    const { folders, resources, namespaces } = await kustomizationFiles(spec.root, spec.path, signal);
    for (const namespace of namespaces) requireOpenNamespace(spec.name, namespace);
    for (const file of resources) requireUnreserved(spec.name, await objectsIn(file));
    const top = commonFolder(folders);
    const files = new Map<string, CollectedFile>();
    for (const folder of folders) {
      const prefix = portable(relative(top, folder));
      for (const file of await listFiles(spec.root, folder, { signal })) {
        const path = prefix === '' ? file.path : `${prefix}/${file.path}`;
        files.set(path, { ...file, path });
      }
    }
    return { files: sorted([...files.values()]), entry: portable(relative(top, resolve(spec.path))), values: [] };
  },

  render: async (component, flow): Promise<StatedObject[]> => {
    const folder = join(component.folder, component.entry);
    await kustomizationFiles(component.folder, folder, flow.signal);
    return buildKustomization(folder, component.name, flow);
  },
};

/** Reads the objects of a file, as far as that is possible before the build. Errors in it are left to kustomize. */
async function objectsIn(file: string): Promise<KubernetesObject[]> {
  try {
    return parseDocuments(text(await readFile(file), 'yaml-invalid'), file);
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}
