import { byteOrder } from '../../../formats/bytes.ts';

interface Node<T> {
  value?: T;
  below?: Map<string, Node<T>>;
}

/** What is removed of a path: it and everything below it, only what is below it, or only the file itself. */
export type RemovedPart = 'all' | 'content' | 'file';

/** A map from paths to values, in which a folder of any size is removed in one step. */
export class Files<T> {
  readonly #top: Node<T> = {};

  get(path: string): T | undefined {
    return this.#find(path)?.value;
  }

  /** Sets the value of the file at `path`, and removes a folder there. */
  set(path: string, value: T): void {
    let node = this.#top;
    for (const name of path.split('/')) {
      // A node with something below it is a folder.
      delete node.value;
      node.below ??= new Map();
      const next = node.below.get(name) ?? {};
      node.below.set(name, next);
      node = next;
    }
    node.value = value;
    delete node.below;
  }

  /** Decides whether there is a file or a folder at `path`; '' is the top. */
  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  /** Removes the file or folder at `path`, everything in the folder there, or a file where a folder is needed. */
  remove(path: string, part: RemovedPart): void {
    const node = this.#find(path);
    if (node && part !== 'content') delete node.value;
    if (node && part !== 'file') delete node.below;
  }

  /** Makes a map of the same values, which changes on its own. */
  copy(): Files<T> {
    const copy = new Files<T>();
    Object.assign(copy.#top, copyOf(this.#top));
    return copy;
  }

  /** Yields every value with its path, in byte order of the names, folder by folder. */
  *entries(): Generator<[path: string, value: T]> {
    yield* walk(this.#top, '');
  }

  #find(path: string): Node<T> | undefined {
    let node: Node<T> | undefined = this.#top;
    // Does not split the path: this runs for each file of an image, and most are absent.
    for (let at = 0; node && at < path.length; ) {
      const slash = path.indexOf('/', at);
      const end = slash < 0 ? path.length : slash;
      node = node.below?.get(path.slice(at, end));
      at = end + 1;
    }
    return node;
  }
}

function copyOf<T>({ below, ...node }: Node<T>): Node<T> {
  return below ? { ...node, below: new Map([...below].map(([name, inner]) => [name, copyOf(inner)])) } : node;
}

function* walk<T>(node: Node<T>, path: string): Generator<[string, T]> {
  if (node.value !== undefined) yield [path, node.value];
  for (const name of [...(node.below?.keys() ?? [])].sort(byteOrder)) {
    yield* walk(node.below!.get(name)!, path === '' ? name : `${path}/${name}`);
  }
}
