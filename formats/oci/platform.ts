import { type Platform, platformName } from './descriptor.ts';

/** Names that systems and architectures have elsewhere, by the names that Go has for them. */
const systems: Readonly<Record<string, string>> = { macos: 'darwin' };
const architectures: Readonly<Record<string, readonly [architecture: string, variant?: string]>> = {
  i386: ['386'],
  x86_64: ['amd64'],
  'x86-64': ['amd64'],
  aarch64: ['arm64'],
  armhf: ['arm', 'v7'],
  armel: ['arm', 'v6'],
};

/** What a variant is that goes without saying. */
const usual: Readonly<Record<string, string>> = { amd64: 'v1', arm64: 'v8' };

/**
 * Brings a platform into the form in which equal ones have equal names, as containerd does: `arm64/v8` is `arm64`, and
 * `arm` is `arm/v7`.
 */
export function normalPlatform(platform: Platform): Platform {
  const os = platform.os.toLowerCase();
  const [architecture, own] = architectures[platform.architecture.toLowerCase()] ?? [
    platform.architecture.toLowerCase(),
  ];
  const said = own ?? platform.variant?.toLowerCase() ?? '';
  const written = (/^\d/.test(said) ? `v${said}` : said).replace(/^(v\d+)\.0$/, '$1');
  const variant = architecture === 'arm' && written === '' ? 'v7' : written;
  const isSaid = variant !== '' && variant !== usual[architecture];
  return { os: systems[os] ?? os, architecture, ...(isSaid ? { variant } : {}) };
}

/** Reads `os/architecture[/variant]`, as `platformName` writes it. */
export function parsePlatform(name: string): Platform {
  const [os = '', architecture = '', variant] = name.split('/');
  return { os, architecture, ...(variant === undefined ? {} : { variant }) };
}

/** Returns the name of a platform in its normal form. */
export function normalPlatformName(platform: Platform): string {
  return platformName(normalPlatform(platform));
}
