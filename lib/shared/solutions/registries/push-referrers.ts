import { type Bytes, once, type ReadAt, slice } from '../../../../formats/bytes.ts';
import type { Digest } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { type ReferrerContent, signatureReferrer } from '../../../../formats/sigstore/referrer.ts';
import { readSlot } from '../../../../formats/sigstore/slot.ts';
import { type Copied, copy } from '../../../kernel/content/index.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import { type Archive, type CatalogReferrer, slotStates } from '../../../parts/archives/index.ts';
import type { Repository } from '../../../parts/registries/index.ts';
import type { AttestationReferrer } from '../attestations/index.ts';
import type { Attached } from './attached.ts';
import { topManifest } from './push-order.ts';

/**
 * Pushes the signatures of an archive as referrers of its root, and signed statements as referrers of their subjects.
 */
export async function pushBundles(
  archive: Archive,
  statements: readonly AttestationReferrer[],
  repository: Repository,
  flow: Flow,
): Promise<Attached> {
  const { root } = archive.catalog;
  const signatures = [];
  for (const { number, kind, bytes } of await slotStates(archive)) {
    if (kind === 'damaged') {
      const message = `signature slot ${number} does not hold a bundle; it is not sent`;
      flow.onEvent({ type: 'notice', subject: archive.path, message });
    }
    const bundle = kind === 'bundle' ? readSlot(bytes) : undefined;
    if (bundle) signatures.push({ subject: root, ...signatureReferrer(bundle, root, number) });
  }
  const copied = await attach([...signatures, ...statements.map(asReferrer)], archive.path, repository, flow);
  return { copied, signatures: signatures.length, attestations: statements.length };
}

/** Pushes signed statements, and no signature. */
export function pushStatements(
  statements: readonly AttestationReferrer[],
  name: string,
  repository: Repository,
  flow: Flow,
): Promise<Copied> {
  return attach(statements.map(asReferrer), name, repository, flow);
}

/**
 * Pushes statements and the signature `bundle` of `root`, which names its `slot` in archives. Returns the digest of its
 * manifest.
 */
export async function pushSignature(
  {
    root,
    bundle,
    slot,
  }: { readonly root: Descriptor; readonly bundle: Uint8Array | undefined; readonly slot: number | undefined },
  statements: readonly AttestationReferrer[],
  repository: Repository,
  flow: Flow,
): Promise<Digest | undefined> {
  const own = bundle && { subject: root, ...signatureReferrer(bundle, root, slot) };
  await attach([...(own ? [own] : []), ...statements.map(asReferrer)], repository.name, repository, flow);
  return own?.manifest.descriptor.digest;
}

/** Content that is in memory, or can be read from an archive. */
type Attachable = ReferrerContent | { readonly descriptor: Descriptor; readonly content: ReadAt };

interface Referrer {
  readonly subject: Descriptor;
  readonly manifest: ReferrerContent;
  readonly blobs: readonly Attachable[];
}

function asReferrer({ subject, manifest, config, bundle, content }: AttestationReferrer): Referrer {
  return { subject, manifest, blobs: [config, { descriptor: bundle, content }] };
}

/** Pushes referrers, and makes sure that their subjects list them. */
async function attach(
  referrers: readonly Referrer[],
  name: string,
  repository: Repository,
  { signal }: Flow,
): Promise<Copied> {
  const manifests = referrers.map(({ manifest }) => manifest);
  const blobs = referrers.flatMap((referrer) => referrer.blobs);
  const known = new Map([...blobs, ...manifests].map((one) => [one.descriptor.digest, one]));
  const open = ({ digest }: Descriptor): Bytes => {
    const one = known.get(digest)!;
    return 'bytes' in one ? once(one.bytes) : slice(one.content, 0, one.content.size);
  };
  const groups = [blobs, manifests].map((group) =>
    group.map(({ descriptor }) => ({ descriptor, source: { name, open } })),
  );
  const copied = await copy(groups, repository, { signal });
  const bySubject = Map.groupBy(referrers, ({ subject }) => subject.digest);
  for (const group of bySubject.values()) {
    const listed = group.map(({ manifest }) => manifest);
    await list(repository, group[0]!.subject, listed, signal);
  }
  return copied;
}

/** Makes sure that the subjects of referrers list them, and that referrers have their tags. */
export async function registerReferrers(
  referrers: readonly CatalogReferrer[],
  repository: Repository,
  signal: AbortSignal,
): Promise<void> {
  const bySubject = new Map<Digest, { subject: Descriptor; manifests: ReferrerContent[] }>();
  for (const referrer of referrers) {
    const { descriptor, bytes, value } = topManifest(referrer);
    if (referrer.tag !== undefined && (await differs(repository, referrer.tag, descriptor, signal))) {
      await repository.tag(descriptor, bytes, referrer.tag, signal);
    }
    if (!value.subject) continue;
    const known = bySubject.get(value.subject.digest) ?? { subject: value.subject, manifests: [] };
    known.manifests.push({ descriptor, bytes });
    bySubject.set(value.subject.digest, known);
  }
  for (const { subject, manifests } of bySubject.values()) await list(repository, subject, manifests, signal);
}

/** Returns whether `tag` names something else than `descriptor`, or nothing. */
export async function differs(
  repository: Repository,
  tag: string,
  { digest }: Descriptor,
  signal: AbortSignal,
): Promise<boolean> {
  return (await repository.tagged(tag, signal)) !== digest;
}

/**
 * Tags what the list of a subject's referrers lacks. Where a registry keeps no such list itself, an earlier push may
 * have ended after a manifest and before the list.
 */
async function list(
  repository: Repository,
  subject: Descriptor,
  manifests: readonly ReferrerContent[],
  signal: AbortSignal,
): Promise<void> {
  const listed = new Set((await repository.referrers(subject, undefined, signal)).map(({ digest }) => digest));
  for (const { descriptor, bytes } of manifests) {
    if (!listed.has(descriptor.digest)) await repository.tag(descriptor, bytes, descriptor.digest, signal);
  }
}
