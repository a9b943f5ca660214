import { FormatError } from '../../../formats/error.ts';
import { countParts, type PartCount } from '../../../formats/json.ts';
import { collectGarbage, shrinkHeap } from '../machine/index.ts';

/**
 * Bytes of memory for documents that are held: 2,000 images, each with ten layers for three platforms, take 75 MiB. The
 * program itself, and what it derives from documents, take as much again.
 */
const MEMORY = 80 * 1024 * 1024;
/** Bytes that may be processed: documents that are held, and documents that are read once. */
const WORK = 2 * MEMORY;

/** Bytes of memory after each of which garbage is collected: those of about 400 such images. */
const LARGE = 16 * 1024 * 1024;

/** Bytes of a name or a value as an object. A name in a table of many takes most. */
const PART = 40;
/** Bytes that a document takes in addition, for entries in lists and maps. */
const DOCUMENT = 1024;
/** Bytes that a content takes in an archive's layout. */
const CONTENT = 384;
/** Work of looking up something that was read before, in bytes. */
const STEP = 64;
/** Work of reporting something once more, in bytes. */
const SHARE = 512;

/**
 * Limits what a stranger's input may cost. One budget of memory and one of work cover everything that belongs together,
 * such as the manifests of a Solution. A document is counted by its bytes and its parts before an object is made of it.
 */
export class Budget {
  #memory = MEMORY;
  #work = WORK;

  /**
   * Counts a JSON document that stays in memory, and returns how many parts it has. Throws `FormatError`
   * `manifest-limit`, `json-limit`.
   */
  hold(document: Uint8Array): PartCount {
    const parts = countParts(document);
    this.#keep(costOf(document, parts));
    return parts;
  }

  /** Counts contents of an archive. Throws as `hold`. */
  contain(count: number): void {
    this.#keep(count * CONTENT);
  }

  /** Counts a JSON document that is read once, and returns how many parts it has. Throws as `hold`. */
  look(document: Uint8Array): PartCount {
    const parts = countParts(document);
    this.#spend(costOf(document, parts));
    return parts;
  }

  /**
   * Counts visits of things that were read before: where documents name each other, there may be more visits than
   * bytes. Throws as `hold`.
   */
  walk(count: number): void {
    this.#spend(count * STEP);
  }

  /** Counts reports of things, each time they are reported. Throws as `hold`. */
  share(count: number): void {
    this.#spend(count * SHARE);
  }

  /** Counts bytes that are read once more. Throws as `hold`. */
  read(bytes: number): void {
    this.#spend(bytes);
  }

  #keep(cost: number): void {
    const held = MEMORY - this.#memory;
    this.#memory -= cost;
    collectAfter(held, held + cost);
    if (this.#memory < 0) throw exceeded(`its manifests would take more than ${MEMORY / 2 ** 20} MiB of memory`);
    this.#spend(cost);
  }

  #spend(cost: number): void {
    this.#work -= cost;
    if (this.#work < 0) throw exceeded('its manifests name one another more often than manifests of images do');
  }
}

/**
 * Collects garbage where as much more is held as `LARGE`; the first time, so that the heap stays small from then on.
 */
function collectAfter(before: number, after: number): void {
  if (Math.trunc(after / LARGE) === Math.trunc(before / LARGE)) return;
  const isShrunk = before < LARGE && shrinkHeap();
  if (!isShrunk) collectGarbage();
}

function costOf(document: Uint8Array, { all }: PartCount): number {
  return DOCUMENT + document.length + PART * all;
}

function exceeded(what: string): FormatError {
  return new FormatError('manifest-limit', what);
}
