import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Bytes, slice } from '../../../formats/bytes.ts';
import { decompress } from '../../../formats/decompress.ts';
import { FormatError } from '../../../formats/error.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { type StreamMember, streamTar } from '../../../formats/tar/stream.ts';
import { refused, unwritable } from '../../kernel/events/index.ts';
import { openFile } from '../../kernel/files/index.ts';
import { sourceLimits } from './limits.ts';

/** Removes what a lower layer has at the rest of the name (image-spec "Whiteouts"). */
const WHITEOUT = '.wh.';
/** Removes everything that lower layers have in its folder. */
const OPAQUE = '.wh..wh..opq';

/** How many bytes one compressed byte may become, past the first MiB. */
const RATIO = 1000;
const FREE = 1024 * 1024;

/**
 * Tar archives that are unpacked over each other into a folder of this run. While files are written, there are no links
 * in that folder, so nothing leads out of it: symbolic links are made at the end.
 */
export class Unpacking {
  readonly #folder: string;
  readonly #subject: string;
  readonly #signal: AbortSignal;
  readonly #only: string | undefined;
  readonly #links = new Map<string, string>();
  readonly #budget: { left: number };
  readonly #total: number;
  #files: number = sourceLimits.files;
  #entries: number = sourceLimits.entries;

  /** Unpacks all, or only what is at the path `only` and below. */
  constructor(folder: string, subject: string, signal: AbortSignal, only?: string) {
    this.#folder = folder;
    this.#subject = subject;
    this.#signal = signal;
    this.#only = only;
    this.#total = only === undefined ? sourceLimits.files : sourceLimits.passedOver;
    this.#budget = { left: this.#total };
  }

  /** Adds a tar archive, plain or compressed by gzip or Zstandard. Throws `component-invalid`. */
  async addLayer(path: string): Promise<void> {
    const work = async (): Promise<void> => {
      const below = new Set<string>();
      for await (const member of streamTar(plainBytes(path, this.#budget, this.#total))) {
        this.#signal.throwIfAborted();
        if (this.#isPassedOver(member.name)) continue;
        this.#entries -= 1;
        if (this.#entries < 0) throw invalid(`has more than ${sourceLimits.entries} files`);
        await this.#enter(cleanPath(member.name), member, below);
      }
    };
    await this.#guarded(work);
  }

  /** Adds one file. */
  async addFile(name: string, bytes: Bytes): Promise<void> {
    await this.#guarded(async () => this.#write(cleanPath(name), bytes, 0o644));
  }

  /** Makes the symbolic links. Where they lead is for those to check who follow them. */
  async end(): Promise<void> {
    await this.#guarded(async () => {
      for (const [path, target] of this.#links) {
        const full = await this.#placeFor(path);
        await fs.symlink(target, full);
      }
    });
  }

  /** Whether an entry can change nothing of what is unpacked, whatever its name is made of. */
  #isPassedOver(name: string): boolean {
    if (this.#only === undefined) return false;
    const parts = name.split('/').filter((part) => part !== '' && part !== '.');
    const path = parts.join('/').replace(/(^|\/)\.wh\.(?!\.wh\.)([^/]*)$/, '$1$2');
    const at = path.replace(/(?:^|\/)\.wh\.\.wh\.[^/]*$/, '');
    return at !== '' && !`${at}/`.startsWith(`${this.#only}/`) && !this.#only.startsWith(`${at}/`);
  }

  async #enter(path: string, member: StreamMember, own: Set<string>): Promise<void> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
    if (name === OPAQUE) return this.#clear(folder, own);
    if (name.startsWith(WHITEOUT)) return this.#remove(join(folder, name.slice(WHITEOUT.length)));
    own.add(path);
    if (path === '') return;
    if (member.type === 'dir') return this.#makeFolder(path);
    if (member.type === 'symlink') {
      await this.#remove(path);
      this.#links.set(path, member.link);
    } else if (member.type === 'file') {
      this.#files -= member.size;
      if (this.#files < 0) throw invalid(`has more than ${sizeWords(sourceLimits.files)}`);
      await this.#write(path, member.body, member.mode);
    }
    if (member.type === 'hardlink') await this.#copy(cleanPath(member.link), path);
    // Devices and the like are nothing that a component could be made of.
  }

  /** Removes what lower layers have in a folder. */
  async #clear(folder: string, own: ReadonlySet<string>): Promise<void> {
    const names = await fs.readdir(join(this.#folder, folder)).catch(() => []);
    const links = [...this.#links.keys()].filter(
      (path) => dirname(`./${path}`) === (folder === '' ? '.' : `./${folder}`),
    );
    const all = [...names.map((name) => (folder === '' ? name : `${folder}/${name}`)), ...links];
    for (const path of all) if (!own.has(path)) await this.#remove(path);
  }

  async #remove(path: string): Promise<void> {
    for (const link of this.#links.keys()) {
      if (link === path || link.startsWith(`${path}/`)) this.#links.delete(link);
    }
    if (path !== '') await fs.rm(join(this.#folder, path), { recursive: true, force: true });
  }

  async #makeFolder(path: string): Promise<void> {
    const full = join(this.#folder, path);
    const stats = await fs.lstat(full).catch(() => undefined);
    if (stats?.isDirectory()) return;
    await this.#placeFor(path);
    await fs.mkdir(full);
  }

  /** Returns where a file or link is to be made: its folder is there, and nothing is in its place. */
  async #placeFor(path: string): Promise<string> {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (folder !== '') await this.#makeFolder(folder);
    await this.#remove(path);
    return join(this.#folder, path);
  }

  async #write(path: string, bytes: Bytes, mode: number): Promise<void> {
    const full = await this.#placeFor(path);
    const handle = await fs.open(full, 'wx', (mode & 0o100) === 0 ? 0o644 : 0o755);
    try {
      for await (const chunk of bytes) await handle.writeFile(chunk);
    } finally {
      await handle.close();
    }
  }

  async #copy(from: string, to: string): Promise<void> {
    const source = join(this.#folder, from);
    const stats = await fs.lstat(source).catch(() => undefined);
    if (!stats?.isFile())
      throw invalid(`${JSON.stringify(to)} is a link to ${JSON.stringify(from)}, which is not a file`);
    if (from === to) return;
    this.#budget.left -= stats.size;
    if (this.#budget.left < 0) throw invalid(`has more than ${sizeWords(sourceLimits.files)}`);
    await fs.copyFile(source, await this.#placeFor(to));
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    const hint = 'publish it again; its maker may have had bad intentions';
    await refused('component-invalid', this.#subject, work, hint).catch((error) => {
      throw unwritable(this.#folder, error);
    });
  }
}

/** Streams a tar archive; its first bytes say how it is compressed. */
async function* plainBytes(path: string, budget: { left: number }, total: number): Bytes {
  const file = await openFile(path);
  try {
    const magic = Buffer.from(await file.read(0, Math.min(4, file.size))).toString('hex');
    const algorithm = magic.startsWith('1f8b') ? 'gzip' : magic === '28b52ffd' ? 'zstd' : undefined;
    const bytes = slice(file, 0, file.size);
    if (algorithm) {
      yield* decompress(bytes, { algorithm, code: 'layer-invalid', ratio: RATIO, free: FREE, budget, total });
      return;
    }
    budget.left -= file.size;
    if (budget.left < 0) throw invalid(`has more than ${sizeWords(total)}`);
    yield* bytes;
  } finally {
    await file.close();
  }
}

/** The names of a path below the folder. Throws where it could lead out of it. */
function cleanPath(name: string): string {
  const names = name.split('/').filter((part) => part !== '' && part !== '.');
  const unsafe = names.includes('..') || /[\\\0\ufffd]/.test(name) || name.length > 4096 || names.length > 64;
  if (unsafe) throw invalid(`the path ${JSON.stringify(name.slice(0, 100))} is not a path within its folder`);
  return names.join('/');
}

function invalid(message: string): FormatError {
  return new FormatError('layer-invalid', message);
}
