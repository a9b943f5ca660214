import { containerdWay } from './containerd-place.ts';
import { folderWay } from './folder.ts';
import type { NodePlace, NodeStore, NodeWay } from './kind.ts';
import { storageWay } from './storage-place.ts';

export { type ContainerdImage, ctrAt, PINNED } from './ctr.ts';
export { type ImageFolder, imageFolder } from './folder-place.ts';
export type { FolderForm } from './folder-rules.ts';
export { type ImageTar, imageTar, type TarImage } from './image-tar.ts';
export type { ImageName, NodeImage, NodePlace, NodeStore, NodeWay, PutPlan, Retained } from './kind.ts';
export { storeNames } from './names.ts';

/** Every kind of place of a machine in which its runtime finds images. */
export const nodeWays: readonly NodeWay[] = [
  folderWay('k3s'),
  folderWay('rke2'),
  folderWay('k0s'),
  containerdWay,
  storageWay,
];

/** Opens a place of images; undefined where its kind is not known here. */
export function nodeStoreAt(place: NodePlace): NodeStore | undefined {
  return nodeWays.find(({ way }) => way === place.way)?.at(place);
}
