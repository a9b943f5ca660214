import { join } from 'node:path';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { listFiles, locateFile } from './files.ts';
import type { Collected, ComponentKind, StatedObject, UnpackedComponent } from './kind.ts';
import { kustomizationFiles } from './kustomization-files.ts';
import { kustomize } from './kustomize.ts';
import { PROGRAM } from './plugin/index.ts';
import { plugin } from './plugin.ts';
import { requireOpenNamespace } from './reserved.ts';
import { type ComponentTree, type Entry, readTree } from './tree/index.ts';

/** The kinds of what a folder of components holds. */
const kinds = { kustomize, plugin } as const;

/**
 * Kind `components.d`: a folder of kustomizations and plugins, as `load` brings it up. All of it is packed as it is, so
 * that `load` can bring it up from where an archive is mounted. Where it holds a plugin, only the node can render it.
 */
export const componentsD: ComponentKind = {
  kind: 'components.d',
  isFixed: true,

  collect: async (spec, signal): Promise<Collected> => {
    const { path, stats } = await locateFile(spec.root, spec.path);
    if (!stats.isDirectory()) {
      throw new SolpackError('component-invalid', spec.path, 'is a file', {
        hint: 'name the folder that holds the folders of the components',
      });
    }
    const notices: string[] = [];
    const tree = await readTree(path, (event) => {
      if (event.type === 'notice') notices.push(`${event.subject} ${event.message}`);
    });
    if (tree.entries.length === 0) {
      throw new SolpackError('component-invalid', spec.path, 'holds no component', {
        hint: 'put folders with a plugin or a kustomization into it',
      });
    }
    const files = await listFiles(spec.root, spec.path, { signal });
    for (const { folder, kind } of tree.entries) {
      const program = files.find((file) => file.path === `${folder}/${PROGRAM}`);
      if (kind === 'plugin') requireExecutable(join(spec.path, folder), program?.mode);
      else await requireKustomization(spec.name, path, folder, signal);
    }
    return { files, entry: '', values: [], notices, atInstall: tree.entries.some(({ kind }) => kind === 'plugin') };
  },

  probe: async (component, flow) => {
    for (const entry of (await treeOf(component)).entries) {
      const { probe }: ComponentKind = kinds[entry.kind];
      await probe?.(partOf(component, entry), flow);
    }
  },

  upgrade: async (component, readPreviousVersion, flow) => {
    const migrations: KubernetesObject[] = [];
    for (const entry of (await treeOf(component)).entries) {
      const { upgrade }: ComponentKind = kinds[entry.kind];
      migrations.push(...((await upgrade?.(partOf(component, entry), readPreviousVersion, flow)) ?? []));
    }
    return migrations;
  },

  render: async (component, flow): Promise<StatedObject[]> => {
    const stated: StatedObject[] = [];
    for (const entry of (await treeOf(component)).entries) {
      stated.push(...(await kinds[entry.kind].render(partOf(component, entry), flow)));
    }
    return stated;
  },
};

/** Reads the tree again; its problems were reported when it was packed. */
function treeOf({ folder, entry }: UnpackedComponent): Promise<ComponentTree> {
  return readTree(join(folder, entry), () => undefined);
}

/** One of the folders, as `load` has it. */
function partOf(component: UnpackedComponent, { root, folder, name }: Entry): UnpackedComponent {
  return { ...component, name, folder: root, entry: folder, values: [], release: name };
}

async function requireKustomization(
  name: string,
  root: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { namespaces } = await kustomizationFiles(root, join(root, folder), signal);
  for (const namespace of namespaces) requireOpenNamespace(name, namespace);
}

function requireExecutable(path: string, mode: number | undefined): void {
  if (mode === 0o755) return;
  throw new SolpackError('component-invalid', path, 'its plugin is not executable', { hint: 'run "chmod +x" on it' });
}
