import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { findTool } from '../host.ts';
import { runProgram } from '../programs.ts';

/** The label that keeps an image from the garbage collection of kubelet (containerd's `crilabels.PinnedImageLabelKey`). */
const PINNED = 'io.cri-containerd.pinned';
/** The namespace of the images of Kubernetes. */
const NAMESPACE = 'k8s.io';

/** How long ctr may take, in milliseconds, and how much it may print. */
const TIMEOUT = 30_000;
const LIMIT = 1024 * 1024;

/** Lists the names under which a containerd has the image of a digest; without those that are pinned already where it is told so. */
export function imageNames(
  address: string,
  digest: string,
  { unpinned }: { readonly unpinned: boolean },
  flow: Flow,
): Promise<readonly string[]> {
  const filter = [`target.digest=="${digest}"`, ...(unpinned ? [`labels."${PINNED}"!=pinned`] : [])].join(',');
  return ctr(address, ['images', 'ls', '-q', filter], flow);
}

/** Pins an image by each of its names. */
export async function pin(address: string, names: readonly string[], flow: Flow): Promise<void> {
  for (const name of names) await ctr(address, ['images', 'label', name, `${PINNED}=pinned`], flow);
}

/** Runs ctr, and returns the lines that it prints. Throws `tool-missing`, `tool-failed`. */
async function ctr(address: string, args: readonly string[], { host, signal }: Flow): Promise<readonly string[]> {
  const program = await findTool(
    host,
    'ctr',
    'it comes with containerd; or give --no-pin, and keep the image otherwise',
  );
  const ended = await runProgram(program, ['--address', address, '--namespace', NAMESPACE, ...args], {
    cwd: '/',
    env: {},
    timeout: TIMEOUT,
    limit: LIMIT,
    signal,
    onLine: () => undefined,
  });
  if (ended.code === 0) {
    return Buffer.from(ended.stdout)
      .toString()
      .split('\n')
      .filter((line) => line !== '');
  }
  const why = ended.timedOut ? 'did not end in time' : ended.last.at(-1) || `ended with ${ended.signal ?? ended.code}`;
  throw new SolpackError('tool-failed', address, `ctr ${args.slice(0, 2).join(' ')}: ${why}`, {
    hint: 'give the socket of containerd to --pin, as root; or give --no-pin, and keep the image otherwise',
  });
}
