import * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from '../../../formats/bytes.ts';
import { FormatError, PositionedError } from '../../../formats/error.ts';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { parseExactYaml } from '../../../formats/manifest/yaml.ts';
import { isRecord } from '../../../formats/record.ts';
import { type Flow, SolpackError, unreadable } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import { omitted } from '../../parts/components/index.ts';
import { imagesInArchive, imagesInFolder } from '../../parts/images/index.ts';
import { addChart, addComponent, withValues } from './components.ts';
import { basesOf, folderKind, isExecutable } from './folders.ts';
import type { FoundParts, FoundPath } from './found.ts';
import { addImagesOf } from './images.ts';

/** How deep folders are looked into, and how many files at most. */
const LIMITS = { depth: 8, files: 10_000 } as const;

/**
 * Looks through a folder for charts, manifests, kustomizations, bundles, plugins and images. Throws `file-unreadable`.
 */
export async function lookThrough(root: string, flow: Flow): Promise<FoundParts> {
  const found: FoundParts = { components: [], images: [], left: [], values: [] };
  const bases = new Set<string>();
  const manifests = await lookInto({ full: root, path: '' }, 0, { root, found, bases, flow, files: 0, empty: 0 });
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
  /** How many of the files that have no objects have nothing at all. */
  empty: number;
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
  const { components, left, values } = search.found;
  const before = components.length;
  const countOthers = (): number => left.length + values.length - search.empty;
  const others = countOthers();
  for (const name of names) {
    const inner = { full: join(folder.full, name), path: folder.path === '' ? name : `${folder.path}/${name}` };
    const stats = await fs.stat(inner.full).catch(() => undefined);
    if (name.startsWith('.') || name === 'node_modules' || (stats?.isDirectory() && depth === LIMITS.depth)) {
      const isPart = stats?.isDirectory() ? !omitted.has(name) : isDocument(name);
      if (folder.path !== '' && isPart) left.push({ path: inner.path, reason: 'not looked into' });
    } else if (stats?.isDirectory()) manifests.push(...(await lookInto(inner, depth + 1, search)));
    else if (stats?.isFile() && (await isManifest(inner, search))) manifests.push(inner.path);
  }
  // A folder of manifests is one component, unless something else lies in it, which that component would have to be
  // without.
  const hasOthers = components.length > before || countOthers() > others;
  return folder.path !== '' && manifests.length > 1 && !hasOthers ? [folder.path] : manifests;
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

/** Takes a file as what it is. Returns whether it has manifests, which may be those of its whole folder. */
async function isManifest({ full, path }: FoundPath, search: Search): Promise<boolean> {
  const { found, flow } = search;
  const name = basename(path);
  if (path === 'solution.toml' || path === 'solution.lock') return false;
  if (isDocument(name)) {
    const looked = await lookAtDocuments(full, path);
    if (typeof looked === 'string') found.left.push({ path, reason: `cannot be taken: ${looked}` });
    else if (!looked.hasObjects) found.values.push(path);
    if (typeof looked !== 'string' && looked.isEmpty) search.empty += 1;
    return typeof looked !== 'string' && looked.hasObjects;
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

function isDocument(name: string): boolean {
  return /\.(?:ya?ml|json)$/.test(name);
}

/** Returns what documents a file has, or, in words, why it cannot be read or has an object that cannot be taken. */
async function lookAtDocuments(
  full: string,
  path: string,
): Promise<{ hasObjects: boolean; isEmpty: boolean } | string> {
  try {
    const content = text(await readFile(full), 'yaml-invalid');
    const documents = parseExactYaml(content, path);
    const hasObjects = documents.some(({ value }) => isRecord(value) && 'apiVersion' in value && 'kind' in value);
    return { hasObjects: hasObjects && parseDocuments(content, path).length > 0, isEmpty: documents.length === 0 };
  } catch (error) {
    if (error instanceof PositionedError) return error.problems[0]!.message;
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}
