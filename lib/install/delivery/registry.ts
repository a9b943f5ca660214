import { type RegistryOptions, targetFor } from '../../registries/index.ts';
import { pushedBlobs } from '../push/contents.ts';
import { pushImages } from '../steps/push-images.ts';
import type { ImageDelivery } from './delivery.ts';

/** Pushes images to the registry at `url`, whose path is put before their names. */
export function pushedToRegistry(url: string, options: RegistryOptions): ImageDelivery {
  return {
    steps: [pushImages(url, options)],
    placeOf: targetFor,
    hashedOnTheWay: pushedBlobs,
    endsWithInstall: false,
  };
}
