import type { Digest } from '../../../formats/digest.ts';
import { platformName } from '../../../formats/oci/descriptor.ts';
import { blobPath } from '../../../formats/oci/layout.ts';
import { childrenOf } from '../../../formats/oci/manifest.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { Catalog, CatalogImage } from '../../parts/archives/index.ts';

/** Findings that are about one content. */
const aboutContent: ReadonlySet<Finding['code']> = new Set(['blob-mismatch', 'missing-file']);

/**
 * Adds to findings about contents whose they are, such as `layer 2 of registry.example.com/app:1.0 (linux/amd64)`, or
 * which file of a component.
 */
export function withOwners(findings: readonly Finding[], catalog: Catalog): readonly Finding[] {
  const wanted = new Set(findings.flatMap(({ code, subject }) => (aboutContent.has(code) ? [subject] : [])));
  if (wanted.size === 0) return findings;
  const owners = ownersOf(catalog, wanted);
  return findings.map((finding) => {
    const owner = aboutContent.has(finding.code) ? owners.get(finding.subject) : undefined;
    if (owner === undefined) return finding;
    const { first, others } = owner;
    const also = others === 0 ? '' : `, and ${others === 1 ? 'one more image' : `${others} more images`}`;
    return { ...finding, message: `${first}${also}: ${finding.message}` };
  });
}

/** Whose a content is: of the first image that has it, and of how many others. */
interface Owner {
  readonly first: string;
  readonly others: number;
}

/** Tells whose the contents `wanted` are, by their digests and by their paths in an archive. */
function ownersOf({ images, files }: Catalog, wanted: ReadonlySet<string>): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>();
  // Images may be many that are one and the same.
  for (const [, [image, ...same]] of Map.groupBy(images, ({ closure }) => closure)) {
    for (const [digest, first] of partsOf(image!)) {
      for (const name of [digest, blobPath(digest)].filter((one) => wanted.has(one))) {
        const known = owners.get(name);
        const others = same.length + (known === undefined ? 0 : known.others + 1);
        owners.set(name, { first: known?.first ?? first, others });
      }
    }
  }
  for (const { path, descriptor } of files) {
    for (const name of [descriptor.digest, blobPath(descriptor.digest)]) {
      if (wanted.has(name) && !owners.has(name)) owners.set(name, { first: path, others: 0 });
    }
  }
  return owners;
}

/** The contents of an image, each once, and what they are in words. */
function partsOf({ reference, closure, platforms }: CatalogImage): ReadonlyMap<Digest, string> {
  const parts = new Map<Digest, string>();
  const named = new Map<Digest, string>();
  for (const { value } of closure.manifests) {
    for (const { digest, platform } of childrenOf(value)) if (platform) named.set(digest, platformName(platform));
  }
  const add = (digest: Digest, words: string): void => {
    if (!parts.has(digest)) parts.set(digest, words);
  };
  for (const { descriptor, value } of closure.manifests) {
    const platform = named.get(descriptor.digest) ?? (closure.manifests.length === 1 ? platforms[0] : undefined);
    const image = platform === undefined ? reference : `${reference} (${platform})`;
    add(descriptor.digest, `the ${value.kind} of ${image}`);
    if (value.kind === 'index') continue;
    add(value.config.digest, `the config of ${image}`);
    for (const [at, { digest }] of value.layers.entries()) add(digest, `layer ${at + 1} of ${image}`);
  }
  return parts;
}
