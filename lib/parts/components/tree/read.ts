import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { byteOrder } from '../../../../formats/bytes.ts';
import { kustomizationNames } from '../../../../formats/manifest/kustomization.ts';
import { codeOf, type OnEvent, SolpackError, unreadable } from '../../../kernel/events/index.ts';
import { contains } from '../../../kernel/files/index.ts';
import type { ComponentKindName } from '../kind.ts';
import { componentName, isConventional } from './names.ts';

/** Kinds of components that a tree may hold. */
export type TreeComponentKind = Extract<ComponentKindName, 'kustomize' | 'plugin'>;

/** A folder of a tree that is a component. */
export interface Entry {
  /** Where its tree really is, links followed. */
  readonly root: string;
  /** Name of the folder, such as `010-web`. */
  readonly folder: string;
  /** The component that it stands for, such as `web`; different in every entry. */
  readonly name: string;
  readonly kind: TreeComponentKind;
}

/** A `components.d` folder, read. */
export interface ComponentTree {
  /** Where it really is, links followed. */
  readonly root: string;
  /** In byte order of their folders. */
  readonly entries: readonly Entry[];
  /** Names of what is not a component, in byte order; names that begin with a dot are not among them. */
  readonly skipped: readonly string[];
}

/**
 * Reads a folder of components; nothing is run. What is not a component, and names that are not as the convention has
 * them, are reported. Throws `file-missing`, `file-unreadable`, `path-escapes` where an entry is a link out of the
 * folder, `component-invalid` where one has two kustomizations, or two are the same component.
 */
export async function readTree(
  folder: string,
  onEvent: OnEvent,
  before: readonly Entry[] = [],
): Promise<ComponentTree> {
  const { root, names } = await list(folder);
  const entries: Entry[] = [];
  const skipped: string[] = [];
  const tell = (name: string, message: string): void => onEvent({ type: 'notice', subject: name, message });
  for (const name of names) {
    const kind = await kindOf(root, name, (message) => tell(name, message));
    if (kind === undefined) skipped.push(name);
    else entries.push({ root, folder: name, name: nameOf(root, name, [...before, ...entries]), kind });
  }
  for (const [at, { folder: name }] of entries.entries()) {
    if (!isConventional(name)) tell(name, orderWords(entries[at - 1]?.folder, entries[at + 1]?.folder));
  }
  return { root, entries, skipped };
}

async function list(folder: string): Promise<{ root: string; names: string[] }> {
  try {
    const root = await fs.realpath(folder);
    const found = await fs.readdir(root, { encoding: 'buffer' });
    const names = found.map((name) => decoded(folder, name)).filter((name) => !name.startsWith('.'));
    return { root, names: names.sort(byteOrder) };
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw unreadable(folder, error);
    throw new SolpackError('file-unreadable', folder, 'is not a folder', {
      hint: 'name the folder that holds the folders of the components',
    });
  }
}

function decoded(folder: string, name: Buffer): string {
  const text = name.toString();
  if (Buffer.from(text).equals(name)) return text;
  throw invalid(join(folder, text), 'has a name that is not UTF-8', 'rename it');
}

/** Finds out what an entry is; undefined, which is reported, for one that is not a component. */
async function kindOf(
  root: string,
  name: string,
  tell: (message: string) => void,
): Promise<TreeComponentKind | undefined> {
  const { path, stats } = await look(root, name);
  if (!stats.isDirectory()) {
    tell('is skipped, because it is not a folder');
    return undefined;
  }
  const files = await fs.readdir(path).catch((error) => {
    throw unreadable(join(root, name), error);
  });
  const kustomizations = kustomizationNames.filter((one) => files.includes(one));
  if (files.includes('plugin') && !(await isFolder(join(path, 'plugin')))) {
    if (kustomizations.length > 0) tell(`is a plugin: its ${kustomizations.join(' and ')} is not built separately`);
    return 'plugin';
  }
  if (kustomizations.length > 1) {
    throw invalid(join(root, name), `holds ${kustomizations.join(' and ')}`, 'keep one of them');
  }
  if (kustomizations.length === 1) return 'kustomize';
  tell('is skipped, because it holds neither a plugin nor a kustomization');
  return undefined;
}

async function look(root: string, name: string): Promise<{ path: string; stats: Stats }> {
  const full = join(root, name);
  try {
    const path = await fs.realpath(full);
    if (contains(root, path)) return { path, stats: await fs.stat(path) };
    throw new SolpackError('path-escapes', full, `is a symbolic link out of ${root}, to ${path}`, {
      hint: 'put the folder itself there',
    });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ELOOP') throw unreadable(full, error);
    throw invalid(full, 'is a symbolic link that leads to nothing', 'remove it, or create what it leads to');
  }
}

/** A link that leads nowhere is no folder: it is a plugin that is broken. */
function isFolder(path: string): Promise<boolean> {
  return fs.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function nameOf(root: string, folder: string, before: readonly Entry[]): string {
  const name = componentName(folder);
  if (name === undefined) throw invalid(folder, 'has a name without any part that could name a component', 'rename it');
  const twin = before.find((entry) => entry.name === name);
  if (twin === undefined) return name;
  const other = twin.root === root ? twin.folder : join(twin.root, twin.folder);
  throw invalid(folder, `is component ${name}, and so is ${other}`, 'rename or remove one of them');
}

function orderWords(before: string | undefined, after: string | undefined): string {
  const place = [before && `after ${before}`, after && `before ${after}`].filter(Boolean).join(' and ');
  const words = place === '' ? 'it is the only one' : `it comes ${place}`;
  return `has a name without a prefix as in 010-web; names are ordered byte by byte, so ${words}`;
}

function invalid(subject: string, message: string, hint: string): SolpackError {
  return new SolpackError('component-invalid', subject, message, { hint });
}
