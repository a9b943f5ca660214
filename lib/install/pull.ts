import type { Digest } from '../../formats/digest.ts';
import { formatReference, parseReference, type Reference } from '../../formats/oci/reference.ts';
import { type RegistryOptions, targetFor } from '../registries/index.ts';
import { servedTarget } from './load.ts';

/** Where images go. */
export type LoadTarget =
  /** The embedded registry; with `hold` it serves until the caller has enough, else until the install ends. */
  | { readonly kind: 'embedded'; readonly host: string; readonly port: number; readonly hold: boolean }
  /** A registry that they are pushed to. */
  | { readonly kind: 'registry'; readonly url: string; readonly options: RegistryOptions }
  /** A running `solpack serve`, which is asked whether it has them. */
  | { readonly kind: 'served'; readonly url: string; readonly options: RegistryOptions };

/** The name by which nodes pull an image of an archive: its reference there, and the digest that is wanted of it. */
export type PullName = (reference: string, digest: Digest) => string;

/**
 * The names by which nodes pull images, always with a digest. They are the images' own where nodes have mirrors, and
 * where the embedded registry has no address that lasts; else those of the registry at `url`.
 */
export function pullNames(load: LoadTarget, url: string, mirrored: boolean): PullName {
  const lasts = load.kind !== 'embedded' || (load.hold && load.port !== 0);
  if (mirrored || !lasts) {
    return (reference, digest) => formatReference({ ...parseReference(reference), digest });
  }
  const place = load.kind === 'registry' ? targetFor : servedTarget;
  return (reference, digest) => {
    const own = parseReference(reference);
    const { scheme, registry, repository } = place(url, own);
    return formatReference(withTag(own, { registry: spelled(registry, scheme), repository, digest }));
  };
}

/** The registries of images, as references name them, each once. */
export function hostsOf(references: readonly string[]): string[] {
  return [...new Set(references.map((reference) => parseReference(reference).registry))].sort();
}

function withTag({ tag }: Reference, reference: Reference): Reference {
  return tag === undefined ? reference : { ...reference, tag };
}

/** A host without dot or colon would be taken for the first part of a repository. */
function spelled(host: string, scheme: 'http' | 'https'): string {
  return /[.:]/.test(host) || host === 'localhost' ? host : `${host}:${scheme === 'http' ? 80 : 443}`;
}
