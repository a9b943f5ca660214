import type { RegistryOptions } from '../../registries/index.ts';
import { askStep } from './ask-step.ts';
import type { ImageDelivery } from './delivery.ts';
import { placeInServe } from './place-in-serve.ts';

/** Leaves images to the `solpack serve` that runs at `url`, which is asked whether it has them. */
export function runningServe(url: string, options: RegistryOptions): ImageDelivery {
  return { steps: [askStep({ url, options })], placeOf: placeInServe, endsWithInstall: false };
}
