import { FormatError } from '../formats/error.ts';
import { countParts } from '../formats/json.ts';

/**
 * What is held may take that much together, in bytes: 2,000 images, ten layers each for three platforms, take 75 MiB. What else
 * is made of it, and the program itself, need as much again.
 */
const MEMORY = 80 * 1024 * 1024;
/** What may be looked at, in bytes: all that is held, and what is read and let go. */
const WORK = 2 * MEMORY;

/** What a name or a value takes as an object, in bytes; a name in a table of many takes most. */
const PART = 40;
/** What a document takes besides: entries in lists and maps. */
const DOCUMENT = 1024;
/** What a content takes in an archive's layout. */
const CONTENT = 384;
/** What it takes to come by something that was read before. */
const STEP = 64;
/** What it takes to tell of something once more. */
const SHARE = 512;

/**
 * How much is read for somebody who nobody knows yet: one budget of memory and one of work for all that belongs together,
 * such as the manifests of a Solution. Each document counts by its bytes and its parts, before an object is made of it.
 */
export class Budget {
  #memory = MEMORY;
  #work = WORK;

  /** Counts a document that is held. Throws `FormatError` `manifest-limit`, `json-limit`. */
  hold(document: Uint8Array): void {
    this.#keep(costOf(document));
  }

  /** Counts contents that an archive consists of. Throws as `hold`. */
  contain(count: number): void {
    this.#keep(count * CONTENT);
  }

  /** Counts a document that is looked at and let go. Throws as `hold`. */
  look(document: Uint8Array): void {
    this.#spend(costOf(document));
  }

  /** Counts things that are come by once more: where documents name one another, there are more of them than bytes. Throws as `hold`. */
  walk(count: number): void {
    this.#spend(count * STEP);
  }

  /** Counts things that are told of, each time they are. Throws as `hold`. */
  share(count: number): void {
    this.#spend(count * SHARE);
  }

  /** Counts bytes that are read once more than they are there. Throws as `hold`. */
  read(bytes: number): void {
    this.#spend(bytes);
  }

  #keep(cost: number): void {
    this.#memory -= cost;
    if (this.#memory < 0) throw exceeded(`its manifests would take more than ${MEMORY / 2 ** 20} MiB of memory`);
    this.#spend(cost);
  }

  #spend(cost: number): void {
    this.#work -= cost;
    if (this.#work < 0) throw exceeded('its manifests name one another more often than those of images do');
  }
}

function costOf(document: Uint8Array): number {
  return DOCUMENT + document.length + PART * countParts(document);
}

function exceeded(what: string): FormatError {
  return new FormatError('manifest-limit', what);
}
