import type { RegistryOptions } from '../../registries/index.ts';
import { askStep } from './ask-step.ts';
import type { ImageDelivery } from './delivery.ts';
import { servedTarget } from './served-target.ts';

/** Leaves images to the `solpack serve` that runs at `url`, which is asked whether it has them. */
export function runningServe(url: string, options: RegistryOptions): ImageDelivery {
  return { steps: [askStep({ url, options })], targetOf: servedTarget, endsWithInstall: false };
}
