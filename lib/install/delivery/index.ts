export { type Delivered, delivered, type ImageDelivery } from './delivery.ts';
export { type EmbeddedOptions, embeddedRegistry } from './embedded.ts';
export { pushedToRegistry } from './registry.ts';
export { runningServe } from './served.ts';
