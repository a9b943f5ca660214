import { isDeepStrictEqual } from 'node:util';
import { objectKey } from '../../../lib/parts/clusters/kubernetes/desired/normalized.ts';
import type { LiveObject, ObjectName } from '../../../lib/parts/clusters/kubernetes/server/api.ts';

type Metadata = LiveObject['metadata'];

/** An object that may be changed before it is put back. */
export interface Draft extends LiveObject {
  metadata: Metadata & {
    generation?: number;
    deletionTimestamp?: string;
    finalizers?: readonly string[];
    managedFields?: Metadata['managedFields'];
  };
  [field: string]: unknown;
}

/**
 * What a cluster has stored. Its clock is the number of calls that were made: what controllers do later is done some
 * calls later, so that a run takes the same course each time.
 */
export class Store {
  readonly #objects = new Map<string, LiveObject>();
  #later: { readonly due: number; readonly work: () => void }[] = [];
  #version = 0;
  #uids = 0;
  #calls = 0;

  /** A copy of an object; undefined where it is not there. */
  get(name: ObjectName): Draft | undefined {
    const found = this.#objects.get(objectKey(name));
    return found && (structuredClone(found) as Draft);
  }

  /** Copies of all objects, in the order of their names. */
  all(): Draft[] {
    const keys = [...this.#objects.keys()].sort();
    return keys.map((key) => structuredClone(this.#objects.get(key)!) as Draft);
  }

  /** Stores an object; what has not changed keeps its version. Returns what is stored. */
  put(object: LiveObject): LiveObject {
    const key = objectKey({ ...object, ...object.metadata });
    const before = this.#objects.get(key);
    if (before !== undefined && isDeepStrictEqual(before, object)) return structuredClone(before);
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.#objects.set(key, structuredClone(stored));
    return stored;
  }

  /** Changes an object, if it still is the one with that uid. */
  change({ metadata: { uid, ...metadata }, ...rest }: LiveObject, change: (draft: Draft) => void): void {
    const draft = this.get({ ...rest, ...metadata });
    if (draft?.metadata.uid !== uid) return;
    change(draft);
    this.put(draft);
  }

  /** Forgets an object. */
  drop(object: LiveObject): void {
    this.#version += 1;
    this.#objects.delete(objectKey({ ...object, ...object.metadata }));
  }

  /** An id that no other object has. */
  uid(): string {
    this.#uids += 1;
    return `00000000-0000-4000-8000-${String(this.#uids).padStart(12, '0')}`;
  }

  /** The time as objects have it: a second for each call. */
  time(): string {
    return new Date(Date.UTC(2030, 0, 1) + this.#calls * 1000).toISOString().replace('.000', '');
  }

  /** The same store, which goes its own way from now on. What is still to be done later is done in this one only. */
  copy(): Store {
    const copy = new Store();
    for (const [key, object] of this.#objects) copy.#objects.set(key, object);
    [copy.#version, copy.#uids, copy.#calls] = [this.#version, this.#uids, this.#calls];
    return copy;
  }

  /** Does `work` when so many calls more were made. */
  after(calls: number, work: () => void): void {
    this.#later.push({ due: this.#calls + calls, work });
  }

  /** Counts a call, and lets be done what is due. */
  tick(): void {
    this.#calls += 1;
    const due = this.#later.filter((one) => one.due <= this.#calls);
    this.#later = this.#later.filter((one) => one.due > this.#calls);
    for (const { work } of due) work();
  }
}
