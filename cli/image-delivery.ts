import {
  alsoListed,
  embeddedRegistry,
  imageFolder as findImageFolder,
  onThisNode,
  pushedToRegistry,
  runningServe,
} from '../lib/command.ts';
import type { Flow, ImageDelivery, NodePlace, RegistryOptions } from '../lib/index.ts';
import { absolute, listenAddress, registryUrl, usage } from './arguments.ts';
import type { ImageDeliveryOptions } from './delivery-options.ts';
import { type Io, plain } from './io.ts';
import { type RegistryFlags, registryOptions } from './registry.ts';

/** The form of a folder that has a list of images, which a registry has. */
const LIST = 'txt';

/** The flags of which one at most says how images get to nodes, with what was given for them. */
function waysGiven({
  registry,
  servedAt,
  imageFolder,
  imageFolderFormat,
  containerd,
  imageStore,
}: ImageDeliveryOptions) {
  const ways = {
    '--registry': registry,
    '--served-at': servedAt,
    // A list is for images that come in another way.
    '--image-folder': imageFolderFormat === LIST ? undefined : imageFolder,
    '--containerd': containerd,
    '--image-store': imageStore,
  };
  return Object.entries(ways).filter(([, value]) => value !== undefined);
}

/** Decides whether nodes have a place that lasts to get images from, by the options of `install`. */
export function hasLastingPlace(options: ImageDeliveryOptions): boolean {
  const { hostsDir, listen, hold } = options;
  return waysGiven(options).length > 0 || hostsDir !== undefined || (hold === true && listenAddress(listen).port !== 0);
}

/** Says how long images stay that `install` brings; undefined where no way for them lasts longer than that. */
export function imagesStay(options: ImageDeliveryOptions): string | undefined {
  const { registry, servedAt, hold } = options;
  if (hold) return 'as long as this command runs';
  if (waysGiven(options).length === 0) return undefined;
  if (servedAt !== undefined) return `as long as the "solpack serve" at ${plain(servedAt)} has their archives`;
  if (registry !== undefined) return 'until somebody removes them from that registry';
  return 'until a later install of this configuration no longer needs them';
}

/** Returns how a registry at a host is reached. */
export type RegistryAt = (host: string) => Promise<RegistryOptions>;

/** Returns how images get to nodes, with the logins of a command. Throws `usage-invalid`. */
export function imageDelivery(
  io: Io,
  options: ImageDeliveryOptions & RegistryFlags,
  flow: Flow,
): Promise<ImageDelivery> {
  return deliveryThrough(io, options, (host) => registryOptions(io, options, flow, host));
}

/** Returns how images get to nodes. Throws `usage-invalid`. */
export async function deliveryThrough(
  io: Io,
  options: ImageDeliveryOptions,
  registryAt: RegistryAt,
): Promise<ImageDelivery> {
  const [given, other] = waysGiven(options);
  if (given && other) throw usage(given[0], `contradicts ${other[0]}`, 'give one of them');
  const place = await placeOf(io, options);
  if (place === undefined || options.imageFolderFormat === LIST) {
    const delivery = await byRegistry(options, registryAt);
    return place === undefined ? delivery : alsoListed(delivery, place, options.hostsDir !== undefined);
  }
  if (options.hold) throw usage('--hold', 'applies to the embedded registry alone', `leave it out with ${given![0]}`);
  if (options.hostsDir !== undefined) {
    throw usage('--hosts-dir', 'applies to images in a registry alone', `leave it out with ${given![0]}`);
  }
  return onThisNode(place);
}

/** Where on this machine images are to be besides, and whether that is a list of them. */
export interface PlaceBesides {
  readonly place: NodePlace;
  readonly isList: boolean;
}

/**
 * Returns the place of this machine that images are put into besides a registry; undefined where none was named. Throws
 * `usage-invalid`.
 */
export async function placeBesides(io: Io, options: ImageDeliveryOptions): Promise<PlaceBesides | undefined> {
  const [given, other] = waysGiven(options).filter(([flag]) => flag !== '--registry');
  if (given && other) throw usage(given[0], `contradicts ${other[0]}`, 'give one of them');
  const place = await placeOf(io, options);
  return place && { place, isList: options.imageFolderFormat === LIST };
}

async function byRegistry(options: ImageDeliveryOptions, registryAt: RegistryAt): Promise<ImageDelivery> {
  const { registry, servedAt, listen, hold = false } = options;
  const url = registry ?? servedAt;
  if (url === undefined) return embeddedRegistry({ ...listenAddress(listen), hold });
  if (hold) throw usage('--hold', 'applies to the embedded registry alone', `leave it out with ${url}`);
  const deliverBy = registry === undefined ? runningServe : pushedToRegistry;
  return deliverBy(registryUrl(url), await registryAt(new URL(url).host));
}

async function placeOf(io: Io, options: ImageDeliveryOptions): Promise<NodePlace | undefined> {
  const { containerd, imageStore, imageFolder, imageFolderFormat } = options;
  if (imageFolder === undefined && imageFolderFormat !== undefined) {
    throw usage('--image-folder-format', 'is for --image-folder', 'leave it out, or give --image-folder');
  }
  if (containerd !== undefined) return { way: 'containerd', place: absolute(io, containerd) };
  if (imageStore !== undefined) return { way: 'containers-storage', place: absolute(io, imageStore) };
  if (imageFolder === undefined) return undefined;
  if (imageFolderFormat === LIST && options.registry === undefined && options.servedAt === undefined) {
    const message = 'txt is a list of images that a registry has';
    throw usage('--image-folder-format', message, 'give --registry or --served-at too');
  }
  return findImageFolder({ name: imageFolder, form: imageFolderFormat ?? 'tar', cwd: io.cwd });
}
