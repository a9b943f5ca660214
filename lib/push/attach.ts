import { once } from '../../formats/bytes.ts';
import type { Digest } from '../../formats/digest.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';
import { type ReferrerContent, signatureReferrer } from '../../formats/sigstore/referrer.ts';
import { readSlot } from '../../formats/sigstore/slot.ts';
import { type Archive, type CatalogReferrer, slotStates } from '../archives/index.ts';
import { type Copied, copy } from '../copy.ts';
import type { Flow } from '../flow.ts';
import type { ContentSource } from '../model.ts';
import type { Repository } from '../registries/index.ts';
import { topManifest } from './groups.ts';

/** What pushing signatures took, and how many there are. */
export interface SignaturesCopied extends Copied {
  readonly count: number;
}

/** Pushes the signatures of an archive, each as a referrer of its root. */
export async function pushSignatures(archive: Archive, repository: Repository, flow: Flow): Promise<SignaturesCopied> {
  const { root } = archive.catalog;
  const signatures = [];
  for (const { number, kind, bytes } of await slotStates(archive)) {
    if (kind === 'damaged') {
      const message = `signature slot ${number} holds what is no bundle; it stays behind`;
      flow.onEvent({ type: 'notice', subject: archive.path, message });
    }
    const bundle = kind === 'bundle' ? readSlot(bytes) : undefined;
    if (bundle) signatures.push(signatureReferrer(bundle, root, number));
  }
  const manifests = signatures.map(({ manifest }) => manifest);
  const blobs = signatures.flatMap((signature) => signature.blobs);
  const source = inMemory(archive.path, [...blobs, ...manifests]);
  const groups = [blobs, manifests].map((group) => group.map(({ descriptor }) => ({ descriptor, source })));
  const copied = await copy(groups, repository, { signal: flow.signal });
  if (manifests.length > 0) await list(repository, root, manifests, flow.signal);
  return { ...copied, count: manifests.length };
}

/** Makes sure that what refers to images is found by them, and has the tags that it is known by. */
export async function listReferrers(
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

/** Whether `tag` stands for something else than `descriptor`, or for nothing. */
export async function differs(
  repository: Repository,
  tag: string,
  { digest }: Descriptor,
  signal: AbortSignal,
): Promise<boolean> {
  return (await repository.resolve(tag, signal))?.digest !== digest;
}

/** An earlier push may have ended between a manifest and the list that names it, where the registry keeps none itself. */
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

function inMemory(name: string, contents: readonly ReferrerContent[]): ContentSource {
  const known = new Map(contents.map(({ descriptor, bytes }) => [descriptor.digest, bytes]));
  return { name, open: ({ digest }) => once(known.get(digest)!) };
}
