import { byteOrder } from '../../formats/bytes.ts';

interface Node<T> {
  value?: T;
  below?: Map<string, Node<T>>;
}

/** What of a path is removed: it and all below it, all below it, or it alone. */
export type RemovedPart = 'all' | 'content' | 'file';

/** Values by path, in which whole folders are removed at once, however much they hold. */
export class Files<T> {
  readonly #top: Node<T> = {};

  get(path: string): T | undefined {
    return this.#find(path)?.value;
  }

  /** Sets the value of the file at `path`; a folder there is gone. */
  set(path: string, value: T): void {
    let node = this.#top;
    for (const name of path.split('/')) {
      // What has something below it is a folder.
      delete node.value;
      node.below ??= new Map();
      const next = node.below.get(name) ?? {};
      node.below.set(name, next);
      node = next;
    }
    node.value = value;
    delete node.below;
  }

  /** Whether there is a file or a folder at `path`; '' is the top. */
  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  /** Takes away the file or the folder at `path`, all that is in the folder there, or a file where a folder is wanted. */
  remove(path: string, part: RemovedPart): void {
    const node = this.#find(path);
    if (node && part !== 'content') delete node.value;
    if (node && part !== 'file') delete node.below;
  }

  /** Every value with its path, in byte order of the names, folder by folder. */
  *entries(): Generator<[path: string, value: T]> {
    yield* walk(this.#top, '');
  }

  #find(path: string): Node<T> | undefined {
    let node: Node<T> | undefined = this.#top;
    // Without a list of the names: it is asked for each file of an image, and most are not there.
    for (let at = 0; node && at < path.length; ) {
      const slash = path.indexOf('/', at);
      const end = slash < 0 ? path.length : slash;
      node = node.below?.get(path.slice(at, end));
      at = end + 1;
    }
    return node;
  }
}

function* walk<T>(node: Node<T>, path: string): Generator<[string, T]> {
  if (node.value !== undefined) yield [path, node.value];
  for (const name of [...(node.below?.keys() ?? [])].sort(byteOrder)) {
    yield* walk(node.below!.get(name)!, path === '' ? name : `${path}/${name}`);
  }
}
