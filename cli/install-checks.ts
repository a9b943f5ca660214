import { usage } from './arguments.ts';
import { hasLastingPlace, imagesStay } from './image-delivery.ts';
import type { InstallOptions } from './install-request.ts';
import type { Io } from './io.ts';

/**
 * Whether a person has to be asked: where they have not named the configuration themselves, and a cluster is to be
 * changed. Throws `usage-invalid` where nobody can be asked, before anything is done.
 */
export function isToBeAsked(io: Io, { yes, plan, confirm, kubeconfig }: InstallOptions, isShort: boolean): boolean {
  if (!isShort || yes === true || plan === true || confirm !== undefined || kubeconfig === undefined) return false;
  if (io.ask !== undefined) return true;
  throw usage(
    'install',
    'would ask before it changes the cluster, and there is no terminal',
    'give --yes, or look with --plan first',
  );
}

/** Refuses an install after which nothing would be there. */
export function requireGoal({ kubeconfig, render, imagesOnly }: InstallOptions): void {
  if (imagesOnly) {
    const other = kubeconfig === undefined ? render && '--render' : '--kubeconfig';
    if (other) throw usage('--images-only', `contradicts ${other}`, 'give one of them');
  } else if (kubeconfig === undefined && render === undefined) {
    throw usage(
      'install',
      'has no cluster to install into, and ignores KUBECONFIG',
      'on a node, "solpack setup" finds it and notes it in a profile; otherwise give --kubeconfig FILE, --render DIR for objects in a folder, or --images-only',
    );
  }
}

/** Refuses an install whose images no node could pull once it has ended. */
export function requirePullable(options: InstallOptions): void {
  if (options.imagesOnly === true ? imagesStay(options) !== undefined : options.kubeconfig === undefined) return;
  if (options.imagesOnly !== true && hasLastingPlace(options)) return;
  throw usage(
    options.imagesOnly ? '--images-only' : '--kubeconfig',
    'needs a place that nodes can pull images from',
    'on a node, "solpack setup" chooses one; otherwise give --registry, --served-at, --image-folder, --containerd, --image-store or --hosts-dir, or --hold with a --listen address of a fixed port',
  );
}

/** Refuses to be strict and lenient at once. */
export function requireAgreeing({ strict, allowMissingImages }: InstallOptions): void {
  if (strict && allowMissingImages) throw usage('--strict', 'contradicts --allow-missing-images', 'give one of them');
}
