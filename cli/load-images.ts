import type { Command } from 'commander';
import type { Flow, LoadImages } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import { imageDelivery } from './image-delivery.ts';
import { trustFlags } from './install-flags.ts';
import { type InstallTrustOptions, trusting } from './install-request.ts';
import type { Io } from './io.ts';
import { caFileOption, mediaContext } from './place.ts';
import {
  plainHttpOption,
  type RegistryConnections,
  type RegistryFlags,
  registryConnections,
  registryFlags,
} from './registry.ts';

/** The options of `solpack load` about archives with images. */
export interface LoadImageOptions extends RegistryFlags, InstallTrustOptions {
  readonly images?: string[];
  readonly registry?: string;
  readonly servedAt?: string;
  readonly hostsDir?: string;
  readonly allowMissingImages?: boolean;
  readonly caFile?: string;
}

/** Options that say nothing where no archives are given. */
const dependent = {
  '--registry': 'registry',
  '--served-at': 'servedAt',
  '--hosts-dir': 'hostsDir',
  '--allow-missing-images': 'allowMissingImages',
  '--ca-file': 'caFile',
  '--key': 'key',
  '--policy': 'policy',
  '--insecure-skip-verify': 'insecureSkipVerify',
} as const satisfies Record<string, keyof LoadImageOptions>;

/** Adds the options of `LoadImageOptions`. */
export function loadImageFlags(command: Command): Command {
  command
    .optionsGroup('Images:')
    .option('--images <archive...>', 'archives with the images: each image that objects name has to be in one of them')
    .option(
      '--registry <url>',
      'push the images to this registry (http:// or https://, a path is a prefix of all names)',
    )
    .option('--served-at <url>', 'ask this running "solpack serve" whether it has the images')
    .option('--hosts-dir <dir>', "write mirrors to this folder, containerd's config_path; image names stay as they are")
    .option('--allow-missing-images', 'continue even if objects use images that no archive holds')
    .addOption(caFileOption());
  trustFlags(command.optionsGroup('Trust:'));
  command.addOption(plainHttpOption());
  return registryFlags(command, true);
}

/**
 * Returns what archives with images are asked for, and what closes the connections to them. Throws `usage-invalid`,
 * `trust-required`.
 */
export async function loadImages(
  io: Io,
  options: LoadImageOptions,
  flow: Flow,
): Promise<{ readonly images?: LoadImages; readonly close: RegistryConnections['close'] }> {
  const { images: archives, registry, servedAt, hostsDir, allowMissingImages: allowMissing = false } = options;
  if (archives === undefined) {
    const [lonely] = Object.entries(dependent).find(([, name]) => options[name] !== undefined) ?? [];
    if (lonely !== undefined) throw usage(lonely, 'is for the archives of --images', 'leave it out, or give --images');
    return { close: async () => undefined };
  }
  const url = registry ?? servedAt;
  if (hostsDir !== undefined && url === undefined) {
    throw usage('--hosts-dir', 'needs a registry that nodes pull from', 'give --registry or --served-at too');
  }
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
  const { connect, close } = registryConnections(io, options, flow, host);
  const images: LoadImages = {
    archives,
    media: mediaContext(io, options.caFile, connect),
    trust: await trusting(io, options),
    delivery: url === undefined ? undefined : await imageDelivery(io, { ...options, listen: '127.0.0.1:0' }, flow),
    hostsDir: hostsDir === undefined ? undefined : absolute(io, hostsDir),
    allowMissing,
  };
  return { images, close };
}
