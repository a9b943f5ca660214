import { type Digest, sha256 } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { encodeJson, parseJson } from '../../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { encodeIndex, type Index, MANIFEST_LIMIT, parseManifest } from '../../../formats/oci/manifest.ts';
import { fallbackTag } from '../../../formats/oci/referrers.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { backOff } from '../../kernel/http/index.ts';
import type { Call, Client } from './client-kind.ts';
import { manifestTypes } from './download.ts';
import { refusedTag } from './resolve.ts';
import { ReplacedError, sendManifest } from './send-manifest.ts';

/** How often a list that others change at the same time is written anew. */
const ATTEMPTS = 8;

/** A manifest with its exact bytes. */
export interface Referrer {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

/** What stands under the fallback tag of a subject. */
export interface Listed {
  readonly index: Index;
  /** As it stands there; what others wrote into it stays. Absent where there is none. */
  readonly bytes?: Uint8Array;
  /** Undefined where the registry does not tell, or there is no list yet. */
  readonly etag: string | undefined;
  /** Whether there is a list. */
  readonly there: boolean;
  /** Whether the registry refused to say whether there is one. */
  readonly isRefused?: boolean;
}

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the list was written just now, so that it has to be there. */
  readonly isWritten?: boolean;
}

/**
 * Reads the list under the fallback tag; an empty one where there is none, or where the registry refuses to report a
 * tag that is only guessed. Undefined where the tag stands for something else: some registries take it for the subject
 * itself.
 */
export async function readFallback(
  client: Client,
  subject: Digest,
  { signal, isWritten = false }: ReadOptions = {},
): Promise<Listed | undefined> {
  const headers = { accept: manifestTypes };
  const call: Call = { method: 'GET', to: `manifests/${fallbackTag(subject)}`, actions: 'pull', headers, signal };
  const answer = await client.send(call);
  const isRefused = !isWritten && refusedTag.includes(answer.status);
  if (answer.status === 404 || isRefused) {
    answer.discard();
    const index: Index = { kind: 'index', mediaType: mediaTypes.index, manifests: [], annotations: {} };
    return { index, etag: undefined, there: false, isRefused };
  }
  if (answer.status !== 200) throw await client.failure(call, answer);
  const bytes = await client.reading(call, () => answer.gather(MANIFEST_LIMIT));
  if (sha256(bytes) === subject) return undefined;
  try {
    const index = parseManifest(bytes);
    return index.kind === 'index' ? { index, bytes, etag: answer.headers.etag, there: true } : undefined;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/**
 * Adds a manifest to the list of its subject. Those of this process take turns; others are noticed by `If-Match` where
 * the registry heeds it, and by reading again in any case, and what they wrote is kept.
 */
export async function addToFallback(
  client: Client,
  subject: Descriptor,
  referrer: Referrer,
  signal?: AbortSignal,
): Promise<void> {
  const { digest } = subject;
  const entry = entryOf(referrer);
  const lists = ({ index }: Listed): boolean => index.manifests.some((known) => known.digest === entry.digest);
  const read = async (isWritten: boolean): Promise<Listed> => {
    const listed = await readFallback(client, digest, { signal, isWritten });
    if (listed) return listed;
    throw new SolpackError(
      'registry-error',
      client.name,
      `the tag ${fallbackTag(digest)} is not a list of what refers to ${digest}, so ${entry.digest} cannot be added`,
      { hint: 'remove that tag, or use a registry with the referrers API' },
    );
  };
  const add = async (): Promise<void> => {
    let listed = await read(false);
    for (let attempt = 1; !lists(listed); attempt += 1) {
      if (attempt > ATTEMPTS) throw contended(client, digest);
      if (attempt > 1) await backOff(attempt - 1, client.shared.timing, signal);
      await write(client, digest, listed, entry, signal);
      listed = await read(true);
    }
  };
  await client.shared.serially(`${client.name} ${digest}`, add);
}

async function write(
  client: Client,
  subject: Digest,
  { bytes: before, etag, there }: Listed,
  entry: Descriptor,
  signal?: AbortSignal,
): Promise<void> {
  const bytes = before ? withEntry(before, entry) : encodeIndex({ manifests: [entry], annotations: {} });
  const descriptor = { mediaType: mediaTypes.index, digest: sha256(bytes), size: bytes.length };
  const known = etag === undefined ? undefined : { 'if-match': etag };
  const condition = there ? known : { 'if-none-match': '*' };
  try {
    await sendManifest(client, descriptor, bytes, { name: fallbackTag(subject), condition, signal });
  } catch (error) {
    if (!(error instanceof ReplacedError)) throw error;
  }
}

/** Returns a list with one more entry, and all else as it was. */
function withEntry(list: Uint8Array, entry: Descriptor): Uint8Array {
  const document = parseJson(list, 'manifest-invalid', 'the list of referrers') as { manifests: readonly unknown[] };
  return encodeJson({ ...document, manifests: [...document.manifests, entry] });
}

/**
 * Returns what a list says of a referrer: its type and all of its annotations (distribution-spec "Pushing Manifests
 * with Subject").
 */
function entryOf({ descriptor: { mediaType, digest, size }, bytes }: Referrer): Descriptor {
  const value = parseManifest(bytes, mediaType);
  const artifactType = value.artifactType ?? (value.kind === 'manifest' ? value.config.mediaType : undefined);
  const annotations = Object.keys(value.annotations).length > 0 ? { annotations: value.annotations } : {};
  return { mediaType, digest, size, ...(artifactType === undefined ? {} : { artifactType }), ...annotations };
}

function contended(client: Client, subject: Digest): SolpackError {
  return new SolpackError(
    'registry-error',
    client.name,
    `other clients keep changing the list of what refers to ${subject}`,
    {
      hint: 'run the command again when they have finished',
    },
  );
}
