import type { Package } from './kind.ts';
import type { Distribution } from './os-release.ts';

/**
 * Makes the package URL of a package (purl-spec, with its "types" apk, deb, golang, npm and pypi). A package of a
 * distribution is named with the distribution, its source package and its architecture: scanners look for
 * vulnerabilities by these.
 */
export function purlOf(found: Package, distribution?: Distribution): string {
  const version = found.version === undefined ? '' : `@${encode(found.version)}`;
  return `pkg:${found.type}/${pathOf(found, distribution)}${version}${qualifiersOf(found, distribution)}`;
}

function pathOf({ type, name }: Package, distribution: Distribution | undefined): string {
  if (type === 'npm') return name.split('/').map(encode).join('/');
  if (type === 'golang') return name.toLowerCase().split('/').filter(Boolean).map(encode).join('/');
  if (type === 'pypi') return encode(name.toLowerCase().replaceAll('_', '-'));
  const vendor = distribution?.id ?? (type === 'deb' ? 'debian' : 'alpine');
  return `${encode(vendor)}/${encode(name.toLowerCase())}`;
}

function qualifiersOf({ type, architecture, source }: Package, distribution: Distribution | undefined): string {
  const system = type === 'deb' || type === 'apk';
  const distro = distribution && [distribution.id, distribution.version].filter(Boolean).join('-');
  const upstream = source && [source.name, source.version].filter(Boolean).join('@');
  const pairs = system ? { arch: architecture, distro, upstream } : {};
  const text = Object.entries(pairs).flatMap(([key, value]) => (value ? [`${key}=${encode(value)}`] : []));
  return text.length === 0 ? '' : `?${text.join('&')}`;
}

/** Percent-encodes all characters but those that need it nowhere in a package URL. */
function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%3A', ':');
}
