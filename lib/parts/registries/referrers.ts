import { collect } from '../../../formats/bytes.ts';
import { verified } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { decodeJson } from '../../../formats/json.ts';
import { type Descriptor, isManifestType, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { MANIFEST_LIMIT, parseManifest } from '../../../formats/oci/manifest.ts';
import { z } from '../../../formats/schema.ts';
import { Budget } from '../../kernel/content/index.ts';
import { fromFormat, SolpackError } from '../../kernel/events/index.ts';
import type { Call, Client } from './client-kind.ts';
import { download } from './download.ts';
import { readFallback } from './fallback-tag.ts';
import { pages } from './list-pages.ts';

const listSchema = z.looseObject({ manifests: z.unknown() });

/** How many referrers one subject may have. */
const MOST = 10_000;
/**
 * What registries, and proxies before them, answer that have no list of referrers: the specification's 404, and what
 * they say of an address that they do not know.
 */
const WITHOUT_LIST: readonly number[] = [400, 401, 403, 404, 405, 406, 501];
/** Answers that may be about whoever asks, and not about the list. */
const DENIED: readonly number[] = [401, 403];

/** Repositories that were warned of. */
const warned = new WeakSet<Client>();

/** Tells that nothing is known of signatures and the like where both ways to ask for them are refused. */
function warnOnce(client: Client, status: number): void {
  if (warned.has(client)) return;
  warned.add(client);
  const words = `refuses with status ${status} to list what refers to an image, and the tag that replaces that list too`;
  client.shared.options.onWarning?.(
    `${client.name}: the registry ${words}; it is treated as having no signatures and SBOMs`,
  );
}

/**
 * Reads what refers to `subject`, of all types or of one (distribution-spec "Listing Referrers"); by the fallback tag
 * where the registry has no such list. Of what that tag lists only those count that do name the subject.
 */
export async function fetchReferrers(
  client: Client,
  subject: Descriptor,
  artifactType?: string,
  signal?: AbortSignal,
): Promise<readonly Descriptor[]> {
  const query = artifactType === undefined ? '' : `?artifactType=${encodeURIComponent(artifactType)}`;
  const headers = { accept: mediaTypes.index };
  const call: Call = { method: 'GET', to: `referrers/${subject.digest}${query}`, actions: 'pull', headers, signal };
  const answer = await client.send(call);
  const found = new Map<string, Descriptor>();
  const add = (entry: Descriptor): void => {
    // Not every registry filters.
    if (artifactType === undefined || entry.artifactType === artifactType) found.set(entry.digest, entry);
    if (found.size > MOST) throw unusable(client, subject, `more than ${MOST} are listed`);
  };
  const budget = new Budget();
  const type = answer.headers['content-type']?.split(';')[0]?.trim();
  if (WITHOUT_LIST.includes(answer.status) || (answer.status === 200 && type !== mediaTypes.index)) {
    answer.discard();
    const listed = await readFallback(client, subject.digest, { signal });
    if (listed?.isRefused && DENIED.includes(answer.status)) warnOnce(client, answer.status);
    const entries = new Map((listed?.index.manifests ?? []).map((entry) => [entry.digest, entry]));
    for (const entry of entries.values()) if (await refersTo(client, entry, subject, budget, signal)) add(entry);
    return [...found.values()];
  }
  for await (const { bytes } of pages(client, call, answer)) {
    try {
      budget.hold(bytes);
      entriesOf(bytes).forEach(add);
    } catch (error) {
      throw fromFormat('registry-error', client.name, error, 'check the registry, and the proxy in front of it');
    }
  }
  return [...found.values()];
}

/** Returns what a page lists. A list of nothing is `null` in some registries, as their language writes it. */
function entriesOf(bytes: Uint8Array): readonly Descriptor[] {
  if (decodeJson(bytes, listSchema, 'json-invalid', 'the list of referrers').manifests === null) return [];
  const index = parseManifest(bytes, mediaTypes.index);
  return index.kind === 'index' ? index.manifests : [];
}

/** Returns whether the manifest of an entry names the subject; what cannot be read as one does not. */
async function refersTo(
  client: Client,
  entry: Descriptor,
  subject: Descriptor,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!isManifestType(entry.mediaType) || entry.size > MANIFEST_LIMIT) return false;
  try {
    const bytes = await collect(verified(download(client, entry, { signal }), entry), MANIFEST_LIMIT);
    budget.look(bytes);
    return parseManifest(bytes, entry.mediaType).subject?.digest === subject.digest;
  } catch (error) {
    // One that was deleted is still listed.
    if (error instanceof FormatError || (error instanceof SolpackError && error.code === 'registry-error'))
      return false;
    throw error;
  }
}

function unusable(client: Client, subject: Descriptor, why: string): SolpackError {
  return new SolpackError('registry-error', client.name, `what refers to ${subject.digest} cannot be read: ${why}`, {
    hint: 'remove referrers that nobody needs',
  });
}
