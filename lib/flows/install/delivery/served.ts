import { parseReference } from '../../../../formats/oci/reference.ts';
import { faultsOf } from '../../../kernel/events/index.ts';
import { openRegistries, type RegistryOptions } from '../../../parts/registries/index.ts';
import { askStep } from './ask-step.ts';
import type { ImageDelivery } from './delivery.ts';
import { servedTarget } from './served-target.ts';

/** Relies on the `solpack serve` that runs at `url` for images, and asks it whether it has them. */
export function runningServe(url: string, options: RegistryOptions): ImageDelivery {
  return {
    steps: [askStep({ url, options })],
    url,
    examine: async ({ archives }, { signal }) => {
      const image = archives.flatMap(({ catalog }) => catalog.images)[0];
      if (image === undefined) return [];
      const registries = openRegistries(options);
      try {
        const repository = registries.open(servedTarget(url, parseReference(image.reference)));
        return await faultsOf(() => repository.requireAnswering(signal));
      } finally {
        registries.close();
      }
    },
    targetOf: servedTarget,
    endsWithInstall: false,
  };
}
