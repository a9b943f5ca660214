import { formatReference, parseReference, type Reference } from '../../../formats/oci/reference.ts';
import type { PullName } from '../../shared/rendering/index.ts';
import type { ImageDelivery } from './delivery/index.ts';

/**
 * Gives the names by which nodes pull images, always with a digest. They are the images' own where nodes have mirrors,
 * and where the registry at `url` has no address that lasts; otherwise those of that registry.
 */
export function pullNames({ targetOf }: Pick<ImageDelivery, 'targetOf'>, url: string, mirrored: boolean): PullName {
  if (mirrored || targetOf === undefined) {
    return (reference, digest) => formatReference({ ...parseReference(reference), digest });
  }
  return (reference, digest) => {
    const own = parseReference(reference);
    const { scheme, registry, repository } = targetOf(url, own);
    return formatReference(withTag(own, { registry: spelled(registry, scheme), repository, digest }));
  };
}

/** Lists the registries of images, as references name them, each once. */
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
