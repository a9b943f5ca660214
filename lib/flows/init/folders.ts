import * as fs from 'node:fs/promises';
import { join, posix } from 'node:path';
import { text } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { kustomizationNames, parseKustomization } from '../../../formats/manifest/kustomization.ts';
import { readFile } from '../../kernel/files/index.ts';
import type { FoundPath } from './found.ts';

/** What a folder is as a whole. */
export type FolderKind = 'helm' | 'kustomize' | 'registry+v1' | 'plugin' | 'layout' | 'skopeo';

/** Returns what a folder is by the files that lie in it; undefined where it is none of what this knows. */
export async function folderKind({ full }: FoundPath, names: readonly string[]): Promise<FolderKind | undefined> {
  if (names.includes('Chart.yaml')) return 'helm';
  if (kustomizationNames.some((name) => names.includes(name))) return 'kustomize';
  if (names.includes('manifests') && names.includes('metadata') && (await isBundle(full))) return 'registry+v1';
  if (names.includes('oci-layout')) return 'layout';
  if (names.includes('version') && names.includes('manifest.json')) return 'skopeo';
  if (names.includes('plugin') && (await isExecutable(join(full, 'plugin')))) return 'plugin';
  return undefined;
}

/** Whether a file may be run by its owner. */
export async function isExecutable(path: string): Promise<boolean> {
  const stats = await fs.stat(path).catch(() => undefined);
  return stats?.isFile() === true && (stats.mode & 0o100) !== 0;
}

/** Whether a folder is what OLM calls a bundle of the format registry+v1. */
async function isBundle(folder: string): Promise<boolean> {
  const annotations = await readFile(join(folder, 'metadata/annotations.yaml')).catch(() => new Uint8Array());
  return Buffer.from(annotations).includes('operators.operatorframework.io.bundle.mediatype.v1: registry+v1');
}

/** Lists the folders that the kustomization in a folder builds on, as paths from the folder of the definition. */
export async function basesOf({ full, path }: FoundPath, names: readonly string[]): Promise<string[]> {
  const name = kustomizationNames.find((one) => names.includes(one));
  if (name === undefined) return [];
  try {
    const { resources } = parseKustomization(text(await readFile(join(full, name)), 'yaml-invalid'), name);
    return resources.map((resource) => posix.join(path, resource));
  } catch (error) {
    // What is wrong with it is reported when the component is looked at.
    if (error instanceof FormatError) return [];
    throw error;
  }
}
