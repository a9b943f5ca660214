import { collect } from '../../../formats/bytes.ts';
import { type Digest, isDigest } from '../../../formats/digest.ts';
import { codeOf, type Flow, findTool, reasonOf, SolpackError } from '../../kernel/events/index.ts';
import { feedProgram, ProgramError, programBytes } from '../../kernel/machine/index.ts';
import type { ImageTar } from './image-tar.ts';

/** The namespace of containerd that holds the images of Kubernetes. */
const NAMESPACE = 'k8s.io';

/** The label by which kubelet's garbage collection, and `crictl rmi --prune`, know images that are to stay. */
export const PINNED = 'io.cri-containerd.pinned';

/** Most bytes that a list may have. */
const LIST = 64 * 1024 * 1024;

/** An image as containerd lists it. */
export interface ContainerdImage {
  readonly name: string;
  readonly digest: Digest;
  readonly labels: ReadonlyMap<string, string>;
}

/** `ctr` on one socket, in the namespace of Kubernetes. */
export interface Ctr {
  images(): Promise<readonly ContainerdImage[]>;
  /**
   * Imports what a tar names, by these names; what belongs to other platforms than the node's is left out. Nothing is
   * unpacked.
   */
  importTar(tar: ImageTar): Promise<void>;
  /** Sets labels of an image; one that is '' goes. */
  label(name: string, labels: Readonly<Record<string, string>>): Promise<void>;
  remove(name: string): Promise<void>;
  /** Returns the folder in which content is stored; undefined where containerd does not tell. */
  root(): Promise<string | undefined>;
}

/** Finds `ctr`, which comes with containerd. Throws `tool-missing`. Everything else throws `tool-failed`. */
export async function ctrAt(address: string, { host, signal }: Flow): Promise<Ctr> {
  const program = await findTool(host, 'ctr', 'install the ctr that comes with containerd');
  const own = ['--address', address, '--namespace', NAMESPACE];
  const failed = (args: readonly string[], cause: unknown): unknown => {
    signal.throwIfAborted();
    if (!(cause instanceof ProgramError) && codeOf(cause) === undefined) return cause;
    return new SolpackError('tool-failed', `ctr ${args.slice(0, 2).join(' ')}`, `${reasonOf(cause)}, at ${address}`, {
      cause,
      hint: 'check that containerd runs and listens there, and that you may use its socket',
    });
  };
  const run = async (...args: string[]): Promise<string> => {
    try {
      return Buffer.from(await collect(programBytes(program, [...own, ...args], {}, signal), LIST)).toString();
    } catch (cause) {
      throw failed(args, cause);
    }
  };
  return {
    images: async () => imagesListed(await run('images', 'ls')),
    importTar: async (tar) => {
      // Newer ones import by a service that knows no names within an archive, unless a flag says otherwise.
      const isLocal = linesOf(await run('images', 'import', '--help')).some(([first]) => first === '--local');
      const args = ['images', 'import', '--no-unpack', ...(isLocal ? ['--local'] : []), '-'];
      await feedProgram(program, [...own, ...args], tar.bytes(signal), signal).catch((cause) => {
        throw failed(args, cause);
      });
    },
    label: async (name, labels) => {
      await run('images', 'label', name, ...Object.entries(labels).map(([key, value]) => `${key}=${value}`));
    },
    remove: async (name) => {
      await run('images', 'rm', '--sync', name);
    },
    root: async () => {
      const exports = linesOf(await run('plugins', 'ls', '-d', 'id==content'));
      return exports.find(([name, path]) => name === 'root' && path?.startsWith('/'))?.[1];
    },
  };
}

/** Splits what `ctr` prints into the words of each line. */
function linesOf(text: string): string[][] {
  return text.split('\n').map((line) => line.split(/\s/).filter((word) => word !== ''));
}

/** Reads what `ctr images ls` prints: name, type and digest come first, labels last, and none of them has blanks. */
export function imagesListed(text: string): ContainerdImage[] {
  return linesOf(text).flatMap((words) => {
    const [name, , digest] = words;
    if (!name || !isDigest(digest)) return [];
    const labels = words.length > 4 ? (words.at(-1) ?? '') : '';
    return [{ name, digest, labels: labelsIn(labels) }];
  });
}

function labelsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(',').flatMap((label): [string, string][] => {
      const at = label.indexOf('=');
      return at < 0 ? [] : [[label.slice(0, at), label.slice(at + 1)]];
    }),
  );
}
