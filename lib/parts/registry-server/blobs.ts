import type { Bytes } from '../../../formats/bytes.ts';
import { algorithmOf, type Digest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { HeldContent } from './content.ts';
import { type Exchange, type Headers, Refusal, reply } from './reply.ts';
import { findRepository, repositoryByKey, type Shelf } from './repository.ts';
import { requireDigest, requireKey, type Target } from './request.ts';
import { isFull, type Store, type Upload } from './store/index.ts';
import { requireStoreRoom } from './store-room.ts';

/** How long a request may send no byte of its body, in milliseconds. */
const STANDSTILL = 60_000;
/**
 * Most uploads at once. When there are that many, the next one replaces one that was idle for at least `LEFT`
 * milliseconds.
 */
const UPLOADS = 1000;
const LEFT = 60_000;

/**
 * Begins an upload, or stores the blob at once where the request brings it or mounts it (distribution-spec "Single
 * POST" and "Mounting a blob from another repository").
 */
export async function beginBlob(exchange: Exchange, shelf: Shelf, store: Store, target: Target): Promise<void> {
  const { query } = target;
  const key = requireKey(target);
  requireStoreRoom(store);
  const mount = query.get('mount');
  if (mount !== null && (await mountBlob(shelf, store, key, requireDigest(mount), query.get('from')))) {
    return created(exchange, target, requireDigest(mount));
  }
  if (store.facts().uploads >= UPLOADS && !(await store.dropStalest(Date.now() - LEFT))) {
    throw new Refusal(429, 'TOOMANYREQUESTS', `${UPLOADS} uploads are open`, { 'retry-after': '10' });
  }
  const digest = query.get('digest');
  if (digest !== null) {
    const wanted = requireDigest(digest);
    const upload = await store.begin(key, algorithmOf(wanted));
    await finishUpload(store, upload, wanted, (signal) => receive(exchange, upload, signal), true);
    return created(exchange, target, wanted);
  }
  const algorithm = query.get('digest-algorithm') ?? 'sha256';
  if (algorithm !== 'sha256' && algorithm !== 'sha512') {
    throw new Refusal(400, 'DIGEST_INVALID', 'digests are made by sha256 or sha512');
  }
  reply(exchange, 202, new Uint8Array(), uploadHeaders(target, await store.begin(key, algorithm)));
}

/** Answers requests about an upload (distribution-spec "Pushing blobs" and "Cancel a blob upload"). */
export async function continueBlob(exchange: Exchange, store: Store, target: Target): Promise<void> {
  const upload = requireUpload(store, target);
  const empty = new Uint8Array();
  switch (exchange.request.method) {
    case 'PATCH':
      await cancelWhenFull(store, upload, () => upload.alone((signal) => receive(exchange, upload, signal, target)));
      return reply(exchange, 202, empty, uploadHeaders(target, upload));
    case 'PUT': {
      const digest = requireDigest(target.query.get('digest') ?? '');
      await finishUpload(store, upload, digest, (signal) => receive(exchange, upload, signal, target), false);
      return created(exchange, target, digest);
    }
    case 'DELETE':
      await store.cancel(upload);
      return reply(exchange, 204, empty, {});
    default:
      // A client that resumes at an old offset would send everything in vain, so the answer waits until the size is
      // final.
      await upload.standstill();
      return reply(exchange, 204, empty, uploadHeaders(target, requireUpload(store, target)));
  }
}

function requireUpload(store: Store, target: Target): Upload {
  const upload = store.upload(requireKey(target), target.reference);
  if (!upload) throw new Refusal(404, 'BLOB_UPLOAD_UNKNOWN', 'there is no such upload; it may have expired');
  return upload;
}

/**
 * Copies content of an archive into the store, so that a repository keeps it when the archive goes. The bytes are
 * checked.
 */
export async function adoptBlob(shelf: Shelf, store: Store, key: string, held: HeldContent): Promise<void> {
  const { digest } = held.descriptor;
  if (await store.mount(key, digest)) return;
  const upload = await store.begin(key, algorithmOf(digest));
  await finishUpload(store, upload, digest, () => upload.append(shelf.integrity.read(held)), true);
}

/**
 * Runs `fill` and finishes the upload, which must then hold exactly `digest`. Cancels the upload where the digest is
 * wrong and, with `once`, after any failure.
 */
async function finishUpload(
  store: Store,
  upload: Upload,
  digest: Digest,
  fill: (signal: AbortSignal) => Promise<void>,
  once: boolean,
): Promise<void> {
  try {
    await cancelWhenFull(store, upload, () =>
      upload.alone(async (signal) => {
        await fill(signal);
        await store.finish(upload, digest);
      }),
    );
  } catch (error) {
    const wrong = error instanceof FormatError && error.code === 'digest-mismatch';
    if (once || wrong) await store.cancel(upload);
    throw wrong ? new Refusal(400, 'DIGEST_INVALID', error.message) : error;
  }
}

/**
 * Does `work` on an upload, and cancels the upload where the disk is full: its bytes take the space that others need.
 */
async function cancelWhenFull(store: Store, upload: Upload, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isFull(error)) await store.cancel(upload);
    throw error;
  }
}

async function mountBlob(
  shelf: Shelf,
  store: Store,
  key: string,
  digest: Digest,
  from: string | null,
): Promise<boolean> {
  if (repositoryByKey(shelf, key).content(digest)) return true;
  const found = from === null ? undefined : findRepository(shelf, from, undefined);
  const held = found && 'tags' in found ? found.content(digest) : undefined;
  if (held) await adoptBlob(shelf, store, key, held);
  // Whoever may push may read the whole registry, so any repository may be mounted from.
  return held !== undefined || store.mount(key, digest);
}

/** Appends the body of a request to the upload. Refuses a body that does not begin where the upload ends. */
async function receive({ request }: Exchange, upload: Upload, signal: AbortSignal, target?: Target): Promise<void> {
  const range = request.headers['content-range'];
  const length = request.headers['content-length'];
  if (range !== undefined) {
    const [, first, last] = /^([0-9]+)-([0-9]+)$/.exec(range) ?? [];
    if (first === undefined || Number(first) !== upload.size) {
      const message = `the next byte is ${upload.size}, and this begins at ${first ?? JSON.stringify(range)}`;
      throw new Refusal(416, 'BLOB_UPLOAD_INVALID', message, target ? uploadHeaders(target, upload) : {});
    }
    if (length !== undefined && Number(length) !== Number(last) - Number(first) + 1) {
      throw new Refusal(400, 'SIZE_INVALID', `${length} bytes are not the range ${range}`);
    }
  }
  // A client that sends again has given up the first connection, which may hang for long.
  const cut = (): void => void request.destroy();
  signal.addEventListener('abort', cut);
  try {
    await upload.append(bodyOf(request));
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

/**
 * Yields the body of a request. A body that is not read to its end does not end the connection, so that the client gets
 * its answer. A body that brings no byte for `STANDSTILL` milliseconds does.
 */
export async function* bodyOf(request: Exchange['request']): Bytes {
  const timer = setTimeout(() => request.socket.destroy(), STANDSTILL).unref();
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      timer.refresh();
      yield chunk;
      timer.refresh();
    }
  } finally {
    clearTimeout(timer);
  }
}

function uploadHeaders({ name, query }: Target, { id, size }: Upload): Headers {
  const namespace = query.get('ns');
  const suffix = namespace === null ? '' : `?${new URLSearchParams({ ns: namespace })}`;
  return {
    location: `/v2/${name}/blobs/uploads/${id}${suffix}`,
    range: `0-${Math.max(size - 1, 0)}`,
    'docker-upload-uuid': id,
  };
}

function created(exchange: Exchange, { name }: Target, digest: Digest): void {
  const headers = { location: `/v2/${name}/blobs/${digest}`, 'docker-content-digest': digest };
  reply(exchange, 201, new Uint8Array(), headers);
}
