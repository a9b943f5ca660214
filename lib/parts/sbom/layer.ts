import type { Bytes } from '../../../formats/bytes.ts';
import { decompress } from '../../../formats/decompress.ts';
import { FormatError } from '../../../formats/error.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { NAME_LIMIT } from '../../../formats/tar/block.ts';
import { type StreamMember, streamTar } from '../../../formats/tar/stream.ts';
import { Files, type RemovedPart } from './files.ts';
import { type FileFinding, weightOf } from './finding.ts';
import type { SbomLimits } from './limits.ts';
import { peek } from './peek.ts';
import { isNamed, isTelling, readFinding } from './read.ts';

/** Removes what a lower layer has at the rest of the name (image-spec "Whiteouts"). */
const WHITEOUT = '.wh.';
/** Removes everything that lower layers have in its folder. */
const OPAQUE = '.wh..wh..opq';
/** Estimated bytes of memory for a name in a path. */
const NAME_WEIGHT = 150;

/** How much of an image may still be read and kept. */
export interface ScanBudget {
  readonly bytes: { left: number };
  entries: number;
  kept: number;
}

/** The files of one layer, and what it removes from the layers below. */
interface Layer {
  readonly files: Files<FileFinding>;
  readonly removed: Map<string, Set<RemovedPart>>;
}

/** The files of an image so far. Each layer is applied to those below it. */
export class Layers {
  readonly below: Files<FileFinding>;
  readonly #limits: SbomLimits;
  readonly #budget: ScanBudget;

  /** Begins an image, or continues with a copy of what `lower` has come to. */
  constructor(limits: SbomLimits, lower?: Layers) {
    this.#limits = limits;
    this.below = lower ? lower.below.copy() : new Files();
    this.#budget = lower
      ? { ...lower.#budget, bytes: { ...lower.#budget.bytes } }
      : { bytes: { left: limits.total }, entries: limits.entries, kept: limits.kept };
  }

  /**
   * Applies a layer, in whichever compression. Throws `FormatError` `layer-invalid`, `tar-header` or another code for a
   * damaged layer or one beyond the limits, which then does not count at all. Throws the reason of `signal` as soon as
   * that is aborted.
   */
  async add(bytes: Bytes, signal?: AbortSignal): Promise<void> {
    const layer: Layer = { files: new Files(), removed: new Map() };
    for await (const member of streamTar(interruptible(unpacked(bytes, this.#limits, this.#budget), signal))) {
      this.#budget.entries -= 1;
      if (this.#budget.entries < 0) throw tooMuch(`more than ${this.#limits.entries} files`);
      const path = cleanPath(member.name);
      if (path) await this.#enter(path, member, layer);
    }
    for (const [path, parts] of layer.removed) for (const part of parts) this.below.remove(path, part);
    for (const [path, finding] of layer.files.entries()) this.below.set(path, finding);
  }

  async #enter(path: string, member: StreamMember, layer: Layer): Promise<void> {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    if (name === OPAQUE) return this.#remove(path.slice(0, Math.max(0, slash)), 'content', layer);
    if (name.startsWith(WHITEOUT)) {
      return this.#remove(`${path.slice(0, slash + 1)}${name.slice(WHITEOUT.length)}`, 'all', layer);
    }
    const part = member.type === 'dir' ? 'file' : 'all';
    const finding = await this.#findingOf(path, member, layer.files);
    this.#remove(path, part, layer);
    layer.files.remove(path, part);
    if (finding) this.#keep(path, finding, layer.files);
  }

  /** Notes what a layer removes. Most of what it could remove does not exist. */
  #remove(path: string, part: RemovedPart, { removed }: Layer): void {
    if (!this.below.has(path)) return;
    const parts = removed.get(path) ?? new Set();
    removed.set(path, parts.add(part));
  }

  async #findingOf(path: string, member: StreamMember, above: Files<FileFinding>): Promise<FileFinding | undefined> {
    if (member.type === 'dir') return undefined;
    if (member.type === 'file') return readFinding(path, member);
    if (member.type === 'hardlink') {
      const target = cleanPath(member.link) ?? '';
      const found = above.get(target) ?? this.below.get(target);
      // A file that counts by its path counts only there; a program counts anywhere.
      if (found && (isNamed(path) || !isNamed(target))) return found;
    }
    // os-release is usually a link between its two places.
    if (!isTelling(path) || path.endsWith('os-release')) return undefined;
    return { unread: { what: 'package list', why: `${words[member.type] ?? 'no file'} in place of a file` } };
  }

  #keep(path: string, finding: FileFinding, above: Files<FileFinding>): void {
    this.#budget.kept -= weightOf(finding) + 2 * path.length + NAME_WEIGHT * path.split('/').length;
    if (this.#budget.kept < 0) throw tooMuch('more packages than the limit');
    above.set(path, finding);
  }
}

const words: Partial<Record<StreamMember['type'], string>> = {
  hardlink: 'a hard link to something else',
  symlink: 'a symbolic link',
};

function tooMuch(message: string): FormatError {
  return new FormatError('layer-invalid', message);
}

/** Decompresses a layer by its first bytes and not by its media type, as container runtimes do. */
async function* unpacked(bytes: Bytes, { ratio, free, total }: SbomLimits, budget: ScanBudget): Bytes {
  const { head, whole } = await peek(bytes, 4);
  const magic = Buffer.from(head.subarray(0, 4)).toString('hex');
  const isZstd = magic === '28b52ffd' || /^5[0-9a-f]2a4d18$/.test(magic);
  const algorithm = magic.startsWith('1f8b') ? 'gzip' : isZstd ? 'zstd' : undefined;
  if (!algorithm) yield* counted(whole, budget, total);
  else yield* decompress(whole, { algorithm, code: 'layer-invalid', ratio, free, budget: budget.bytes, total });
}

/**
 * Ends a stream as soon as `signal` is aborted: a few compressed bytes may expand to many, which take a while to read.
 */
async function* interruptible(bytes: Bytes, signal: AbortSignal | undefined): Bytes {
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

async function* counted(bytes: Bytes, { bytes: budget }: ScanBudget, total: number): Bytes {
  for await (const chunk of bytes) {
    budget.left -= chunk.length;
    if (budget.left < 0) throw tooMuch(`more than ${sizeWords(total)}`);
    yield chunk;
  }
}

/** Returns the path below the top of the image as a runtime would write it; undefined for the top itself. */
function cleanPath(name: string): string | undefined {
  const names: string[] = [];
  for (const part of name.split('/')) {
    if (part === '..') names.pop();
    else if (part !== '' && part !== '.') names.push(part);
  }
  const path = names.join('/');
  if (path.length > NAME_LIMIT) throw tooMuch(`a name of more than ${NAME_LIMIT} characters`);
  return path === '' ? undefined : path;
}
