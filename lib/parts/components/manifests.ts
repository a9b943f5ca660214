import { basename, join } from 'node:path';
import { collect as gather, text } from '../../../formats/bytes.ts';
import { parsePlacedDocuments } from '../../../formats/manifest/documents.ts';
import { isKustomization } from '../../../formats/manifest/kustomization.ts';
import { parseExactYaml, yamlLimits } from '../../../formats/manifest/yaml.ts';
import { TextLines } from '../../../formats/text-lines.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { fileAt, filesBelow, listFiles, locateFile } from './files.ts';
import type { Collected, CollectedFile, ComponentKind, StatedObject } from './kind.ts';
import { requireUnreserved } from './reserved.ts';

const extensions = /\.(?:yaml|yml|json)$/;

/** Kind `manifests`: a file, or every `.yaml`, `.yml` and `.json` below a folder, applied as they are. */
export const manifests: ComponentKind = {
  kind: 'manifests',
  isFixed: true,
  needsNoFolder: true,

  collect: async (spec, signal): Promise<Collected> => {
    const { stats } = await locateFile(spec.root, spec.path);
    const files = stats.isFile()
      ? [fileAt(spec.path, basename(spec.path), stats)]
      : await listFiles(spec.root, spec.path, { signal, skip: isOther });
    const objects = await parsed(files, (path) => (stats.isFile() ? spec.path : join(spec.path, path)));
    if (objects.length === 0) {
      throw new SolpackError('component-invalid', spec.path, `component ${spec.name} has no Kubernetes objects`, {
        hint: 'name a folder that holds .yaml, .yml or .json files, or one such file',
      });
    }
    requireUnreserved(
      spec.name,
      objects.map(({ object }) => object),
    );
    return { files, entry: '', values: [] };
  },

  render: async (component, flow): Promise<StatedObject[]> => {
    const { folder, entry, files: known } = component;
    const files = known
      ? filesBelow(known, entry)
      : await listFiles(folder, join(folder, entry), { signal: flow.signal });
    // Where the archive was unpacked to is of no use to anybody.
    return parsed(
      files.filter(({ path }) => extensions.test(path)),
      (path) => path,
    );
  },
};

function isOther(path: string, isFolder: boolean): boolean {
  return !isFolder && !extensions.test(path);
}

/** Reads the objects of files. `nameOf` returns a file's name for errors. */
async function parsed(files: readonly CollectedFile[], nameOf: (path: string) => string): Promise<StatedObject[]> {
  const objects: StatedObject[] = [];
  for (const file of files) {
    const hint = 'correct the file, or move files that are not manifests elsewhere';
    const name = nameOf(file.path);
    objects.push(...(await refused('component-invalid', name, () => objectsIn(file, name), hint)));
  }
  return objects;
}

async function objectsIn(file: CollectedFile, name: string): Promise<StatedObject[]> {
  const content = text(await gather(file.open(), yamlLimits.length), 'yaml-invalid');
  try {
    const lines = new TextLines(content);
    return parsePlacedDocuments(content, name).map(({ object, start }) => ({
      object,
      source: `${file.path}:${lines.position(start).line}`,
    }));
  } catch (error) {
    if (!parseExactYaml(content, name).some(({ value }) => isKustomization(value))) throw error;
    throw new SolpackError('component-invalid', name, 'is a kustomization, not a manifest', {
      cause: error,
      hint: 'use kind = "kustomize" for this component',
    });
  }
}
