import { byteOrder } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizeWords } from '../size-words.ts';
import { EXPANSION, type Tree, type TreeEntry } from '../tree.ts';
import { NAME_LIMIT, show } from './block.ts';
import type { TarMember } from './scan.ts';

/** How many entries are read, folders that only paths imply included: about 150 MiB of memory. */
const ENTRY_LIMIT = 250_000;
/** How many bytes the names of all entries and links may have together. */
const NAMES_LIMIT = 64 * 1024 * 1024;

const top: TreeEntry = folder('');

/** The entries of a tar archive, gathered one by one and checked to make one tree that every reader sees alike. */
export class TarFiles {
  readonly #entries = new Map<string, TreeEntry>([['', top]]);
  readonly #children = new Map<string, string[]>();
  readonly #archive: number;
  #nameBytes = 0;
  #fileBytes = 0;

  /** An archive of `size` bytes. */
  constructor(size: number) {
    this.#archive = size;
  }

  /** Adds an entry under its cleaned path; throws `FormatError` `tar-path` or `tar-limit`. */
  add(member: TarMember): void {
    const path = cleanPath(member.name, member);
    if (path === '' && member.type !== 'dir') throw unsafe(member, 'names the top of the archive, but is not a folder');
    const known = this.#entries.get(path);
    if (known && !(known.type === 'dir' && member.type === 'dir')) throw unsafe(member, 'is there already');
    const entry = this.#entryOf(path, member);
    if (known) this.#entries.set(path, entry);
    else this.#put(entry, member);
  }

  /** What was added, as a tree. */
  tree(): Tree {
    const entries = this.#entries;
    const children = this.#children;
    async function* walk(path = '', atLeast = 0): AsyncGenerator<TreeEntry> {
      const inner = (parent: string): string[] => children.get(parent)?.toSorted(byteOrder).reverse() ?? [];
      // A stack of its own, because how deep the tree is was the archive's choice.
      const stack = [inner(path)];
      for (let level = stack.at(-1); level; level = stack.at(-1)) {
        const next = level.pop();
        if (next === undefined) {
          stack.pop();
          continue;
        }
        const entry = entries.get(next)!;
        if (entry.type === 'dir' || entry.size >= atLeast) yield entry;
        if (entry.type === 'dir') stack.push(inner(next));
      }
    }
    return { held: entries.size, walk, lookup: async (path) => entries.get(path) };
  }

  #entryOf(path: string, member: TarMember): TreeEntry {
    const { type, size, mode } = member;
    if (type === 'hardlink') {
      const target = this.#entries.get(cleanPath(member.link, member));
      if (target?.type !== 'file')
        throw unsafe(member, `is a hard link to ${show(member.link)}, which is not an earlier file`);
      return { ...target, path };
    }
    if (type === 'symlink') {
      if (member.link === '' || member.link.includes('\0')) throw unsafe(member, 'is a symbolic link without a target');
      requireShort(member.link, member);
      return { path, type, size: 0, mode, extents: [], target: member.link };
    }
    return { path, type, size, mode, extents: size > 0 ? [{ offset: member.data, size }] : [] };
  }

  #put(entry: TreeEntry, member: TarMember): void {
    // Inwards out, up to the first folder that is known.
    for (let added = entry; ; added = folder(parentOf(added.path))) {
      this.#entries.set(added.path, added);
      this.#count(added, member);
      const parent = parentOf(added.path);
      const siblings = this.#children.get(parent);
      if (siblings) siblings.push(added.path);
      else this.#children.set(parent, [added.path]);
      const above = this.#entries.get(parent);
      if (above?.type === 'dir') return;
      if (above) throw unsafe(member, `lies below ${show(parent)}, which is not a folder`);
    }
  }

  #count(entry: TreeEntry, member: TarMember): void {
    this.#nameBytes += entry.path.length + (entry.target?.length ?? 0);
    this.#fileBytes += entry.size;
    if (this.#entries.size - 1 > ENTRY_LIMIT) throw limit(`more than ${ENTRY_LIMIT} entries`, member);
    if (this.#fileBytes > this.#archive * EXPANSION) {
      throw limit(`files of more than ${EXPANSION} times its own size`, member);
    }
    if (this.#nameBytes > NAMES_LIMIT) throw limit(`names of more than ${sizeWords(NAMES_LIMIT)} together`, member);
  }
}

/** `a/b` for `./a//b/`; refuses what leads out of the archive or means different things to different readers. */
function cleanPath(name: string, member: TarMember): string {
  requireShort(name, member);
  if (name === '') throw unsafe(member, 'is an empty name');
  if (name.includes('\0')) throw unsafe(member, 'holds a NUL');
  if (name.startsWith('/')) throw unsafe(member, 'is an absolute path');
  const names = name.split('/').filter((part) => part !== '' && part !== '.');
  if (names.includes('..')) throw unsafe(member, 'leads upwards');
  return names.join('/');
}

function requireShort(name: string, member: TarMember): void {
  if (Buffer.byteLength(name) > NAME_LIMIT) throw limit(`a name of more than ${NAME_LIMIT} bytes`, member);
}

function folder(path: string): TreeEntry {
  return { path, type: 'dir', size: 0, mode: 0o755, extents: [] };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function unsafe({ name, offset }: TarMember, why: string): FormatError {
  return new FormatError('tar-path', `${show(name)} ${why} (header at ${offset})`, { offset });
}

function limit(what: string, { offset }: TarMember): FormatError {
  return new FormatError('tar-limit', `the archive has ${what} (header at ${offset})`, { offset });
}
