import { join, relative, resolve } from 'node:path';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { SolpackError } from '../errors.ts';
import { portable } from '../paths.ts';
import { closureOf, commonFolder } from './closure.ts';
import { listFiles, locate, sorted } from './files.ts';
import type { Collected, CollectedFile, ComponentKind } from './kind.ts';
import { buildKustomization } from './tools.ts';

/**
 * Kind `kustomize`: a folder with a kustomization, and every other folder that it builds on. All are stored below
 * the deepest folder that holds them, so that references such as `../../base` stay true; `entry` is the way back.
 */
export const kustomize: ComponentKind = {
  kind: 'kustomize',

  collect: async (spec, signal): Promise<Collected> => {
    const { stats } = await locate(spec.root, spec.path);
    if (!stats.isDirectory()) {
      throw new SolpackError('component-invalid', spec.path, 'is a file', {
        hint: 'name the folder that holds the kustomization',
      });
    }
    const folders = await closureOf(spec.root, spec.path, signal);
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

  render: async (component, flow): Promise<KubernetesObject[]> => {
    const folder = join(component.folder, component.entry);
    await closureOf(component.folder, folder, flow.signal);
    return buildKustomization(folder, component.name, flow);
  },
};
