import * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { parseDocuments } from '../../formats/manifest/documents.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { imagesInArchive, imagesInFolder } from '../images/index.ts';
import { readFile } from '../open-file.ts';
import { unreadable } from '../system-errors.ts';
import { addChart, addComponent, withValues } from './components.ts';
import { basesOf, folderKind, isExecutable } from './folders.ts';
import type { FoundParts, FoundPath } from './found.ts';
import { addImagesOf } from './images.ts';

/** How deep folders are looked into, and how many files at most. */
const LIMITS = { depth: 8, files: 10_000 } as const;

/** Looks through a folder for charts, manifests, kustomizations, bundles, plugins and images. Throws `file-unreadable`. */
export async function lookThrough(root: string, flow: Flow): Promise<FoundParts> {
  const found: FoundParts = { components: [], images: [], left: [], values: [] };
  const bases = new Set<string>();
  const manifests = await lookInto({ full: root, path: '' }, 0, { root, found, bases, flow, files: 0 });
  for (const path of manifests) addComponent('manifests', path, found);
  const isBase = ({ kind, path }: { kind: string; path: string }): boolean => kind === 'kustomize' && bases.has(path);
  for (const { path } of found.components.filter(isBase))
    found.left.push({ path, reason: 'part of another kustomization' });
  return { ...found, ...withValues({ ...found, components: found.components.filter((one) => !isBase(one)) }) };
}

/** What is known while folders are looked into. */
interface Search {
  readonly root: string;
  readonly found: FoundParts;
  /** Folders that kustomizations build on. */
  readonly bases: Set<string>;
  readonly flow: Flow;
  files: number;
}

/** Looks into a folder, and returns the files and folders of manifests in it that are components by themselves. */
async function lookInto(folder: FoundPath, depth: number, search: Search): Promise<string[]> {
  search.flow.signal.throwIfAborted();
  const entries = await fs.readdir(folder.full, { withFileTypes: true }).catch((error) => {
    throw unreadable(folder.full, error);
  });
  const names = entries.map(({ name }) => name).sort();
  search.files += names.length;
  if (search.files > LIMITS.files) {
    throw new SolpackError('component-invalid', search.root, `has more than ${LIMITS.files} files`, {
      hint: 'name the folder that holds charts and manifests alone',
    });
  }
  if (folder.path !== '' && (await isWhole(folder, names, search))) return [];
  const manifests: string[] = [];
  const before = search.found.components.length;
  for (const name of names) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    const inner = { full: join(folder.full, name), path: folder.path === '' ? name : `${folder.path}/${name}` };
    const stats = await fs.stat(inner.full).catch(() => undefined);
    if (stats?.isDirectory() && depth < LIMITS.depth) manifests.push(...(await lookInto(inner, depth + 1, search)));
    else if (stats?.isFile() && (await isManifest(inner, search))) manifests.push(inner.path);
  }
  // A folder of manifests is one component, unless other components lie in it.
  const isOne = folder.path !== '' && manifests.length > 1 && search.found.components.length === before;
  return isOne ? [folder.path] : manifests;
}

/** Takes a folder as a whole if that is what it is. */
async function isWhole(folder: FoundPath, names: readonly string[], search: Search): Promise<boolean> {
  const kind = await folderKind(folder, names);
  if (kind === undefined) return false;
  if (kind === 'layout') {
    const images = await imagesInFolder(folder.full);
    if (images) addImagesOf(images, folder.path, search.found);
  } else if (kind === 'skopeo') {
    const reason = `an image without a name; source = "dir:${folder.path}" takes it`;
    search.found.left.push({ path: folder.path, reason });
  } else if (kind === 'helm') await addChart(folder, true, search.found);
  else {
    for (const base of await basesOf(folder, names)) search.bases.add(base);
    addComponent(kind, folder.path, search.found);
  }
  return true;
}

/** Takes a file as what it is. Tells whether it has manifests, which may be those of its whole folder. */
async function isManifest({ full, path }: FoundPath, search: Search): Promise<boolean> {
  const { found, flow } = search;
  const name = basename(path);
  if (path === 'solution.toml' || path === 'solution.lock') return false;
  if (/\.(?:ya?ml|json)$/.test(name)) {
    const objects = await objectsIn(full);
    if (objects === 0) found.values.push(path);
    return objects > 0;
  }
  if (name.endsWith('.tgz') && (await addChart({ full, path }, false, found))) return false;
  if (/\.(?:tar|tgz|tar\.gz|tar\.zst|tar\.zstd)$/.test(name)) {
    const images = await imagesInArchive(full, flow.host);
    if (images) addImagesOf(images, path, found);
    else found.left.push({ path, reason: 'neither a chart nor an archive of images' });
  } else if (name.endsWith('.iso')) found.left.push({ path, reason: 'an ISO image' });
  else if (name === 'plugin' && (await isExecutable(full))) addComponent('plugin', path, found);
  return false;
}

/** How many objects a file has; none where it cannot be read as manifests. */
async function objectsIn(path: string): Promise<number> {
  try {
    return parseDocuments(text(await readFile(path), 'yaml-invalid'), path).length;
  } catch (error) {
    if (error instanceof FormatError) return 0;
    throw error;
  }
}
