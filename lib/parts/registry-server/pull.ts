import { isDigest } from '../../../formats/digest.ts';
import { isManifestType } from '../../../formats/oci/descriptor.ts';
import type { HeldContent } from './content.ts';
import { deliver } from './deliver.ts';
import { sendReferrers } from './referrers.ts';
import { type Exchange, Refusal } from './reply.ts';
import { findRepository, type RepositoryView, type Shelf } from './repository.ts';
import { requireDigest, requireName, requireRepository, type Target } from './request.ts';
import { sendTags } from './tags.ts';

/** Answers GET and HEAD of content, tags and referrers (distribution-spec "Pull" and "Content Discovery"). */
export async function answerPull(exchange: Exchange, shelf: Shelf, target: Target): Promise<void> {
  const namespace = target.query.get('ns');
  if (namespace !== null && /^[\x21-\x7e]+$/.test(namespace)) exchange.response.setHeader('oci-namespace', namespace);
  if (target.kind === 'referrers') return answerReferrers(exchange, shelf, target);
  const repository = requireRepository(shelf, target);
  if (target.kind === 'tags') return sendTags(exchange, shelf.memory, target, repository.tags());
  const find = target.kind === 'manifests' ? findManifest : findBlob;
  return deliver(exchange, find(repository, target.reference), shelf);
}

/** Finds the manifest of a tag or a digest. */
export function findManifest(repository: RepositoryView, reference: string): HeldContent {
  // Tags have no colon: a reference with one was meant as a digest.
  const held = reference.includes(':') ? repository.content(requireDigest(reference)) : repository.tag(reference);
  if (held && isManifestType(held.descriptor.mediaType)) return held;
  const absent = isDigest(reference) ? repository.absent(reference) : undefined;
  const why = absent === undefined ? 'there is no such manifest here' : `its image was packed without it, ${absent}`;
  throw new Refusal(404, 'MANIFEST_UNKNOWN', why);
}

function findBlob(repository: RepositoryView, reference: string): HeldContent {
  const held = repository.content(requireDigest(reference));
  if (held) return held;
  throw new Refusal(404, 'BLOB_UNKNOWN', 'there is no such blob here');
}

/** Answers with a list of referrers, which is empty where there are none: never with 404. */
async function answerReferrers(exchange: Exchange, shelf: Shelf, target: Target): Promise<void> {
  const { name, reference, query } = target;
  const subject = requireDigest(reference);
  const found = findRepository(shelf, name, query.get('ns') ?? undefined);
  if (!found) requireName(name);
  const list = found && 'tags' in found ? await found.referrers(subject) : [];
  await sendReferrers(exchange, shelf, { path: `/v2/${name}/referrers/${subject}`, query }, list);
}
