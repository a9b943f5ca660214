/** How images get from archives to the nodes of an install: a registry, the stores of a node, or `serve`. */

export {
  /** What it took to have the images of archives in a registry. */
  type Delivered,
  type DeliveryMeans,
  /** What steps of a delivery are planned from, and run with. */
  type DeliveryRead,
  /** A kind of step that a delivery takes. */
  type DeliveryStep,
  /** Given once a registry has the images. */
  delivered,
  /** A way in which images get from archives to where nodes can pull them. */
  type ImageDelivery,
} from './delivery.ts';
export {
  /** Where an embedded registry listens, and for how long. */
  type EmbeddedOptions,
  /** Serves images from the archives, by a registry of the install itself. */
  embeddedRegistry,
} from './embedded.ts';
export {
  /** Also writes a list of the images into a folder, by which k3s and RKE2 pull them beforehand and pin them. */
  alsoListed,
  /** Puts the images of one Solution into a place of this machine, whichever way those of all are delivered. */
  keptOnThisNode,
  /** Puts images into a place of this machine, where its runtime finds them by their own names. */
  onThisNode,
} from './on-node.ts';
export type {
  /** A tag of a registry that named another manifest before. */
  MovedTag,
  /** What a push took. */
  Pushed,
} from './push/index.ts';
export {
  /** Pushes images to the registry at `url`, whose path precedes their names. */
  pushedToRegistry,
} from './registry.ts';
export {
  /** Relies on the `solpack serve` that runs at `url` for images, and asks it whether it has them. */
  runningServe,
} from './served.ts';
