import type { IncomingMessage, ServerResponse } from 'node:http';
import { normalize } from 'node:path';
import { Readable } from 'node:stream';
import { type Digest, sha256 } from '../../../formats/digest.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest, parseManifest } from '../../../formats/oci/manifest.ts';
import { z } from '../../../formats/schema.ts';
import { joinArchives } from '../../../lib/parts/registry-server/archived-repositories.ts';
import { createIntegrity } from '../../../lib/parts/registry-server/integrity.ts';
import { pushedKey } from '../../../lib/parts/registry-server/names.ts';
import { createReferrers } from '../../../lib/parts/registry-server/referrers.ts';
import { Refusal } from '../../../lib/parts/registry-server/reply.ts';
import type { Shelf } from '../../../lib/parts/registry-server/repository.ts';
import { parseRequestUrl } from '../../../lib/parts/registry-server/request.ts';
import { answer } from '../../../lib/parts/registry-server/routes.ts';
import { shareMemory } from '../../../lib/parts/registry-server/shared-memory.ts';
import { folderOf } from '../../../lib/parts/registry-server/store/layout.ts';
import { type MemoryStore, memoryStore } from '../memory-store.ts';
import { parsers } from '../parser.ts';
import { checkMessage, must } from '../violation.ts';

const blob = Buffer.from('{}');
const [digest, size] = [sha256(blob), blob.length];
const config = { mediaType: mediaTypes.config, digest, size };
const layers = [{ mediaType: mediaTypes.layerGzip, digest, size }];
const subject = { mediaType: mediaTypes.manifest, digest: sha256('subject'), size: 7 };
const image = encodeManifest({ config, layers, annotations: { a: 'b' } });
const referrer = encodeManifest({ artifactType: 'text/plain', config, layers, subject, annotations: { a: 'b' } });
const child = { mediaType: mediaTypes.manifest, digest: sha256(image), size: image.length };
const index = encodeIndex({ manifests: [{ ...child, platform: { os: 'linux', architecture: 'arm64' } }] });
const signatures = Buffer.from(
  JSON.stringify({ ...JSON.parse(Buffer.from(index).toString()), artifactType: 'a/b', subject }),
);

const empty = encodeIndex({ manifests: [] });

/** A request: its method, its address and its type in one line, and its body. */
const push = (way: string, type: string, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`PUT ${way} ${type}\n`), body]);

/** What clients push to `serve`, how that is listed and sent again, and the addresses that they ask for. */
export const pushes = parsers(
  'pushes',
  80,
  `"mediaType":¦"schemaVersion":2¦"subject":¦"config":{}¦"layers":[]¦"manifests":[]¦"annotations":{}¦"artifactType":¦"urls":["x"]` +
    `¦${digest}¦${subject.digest}¦${mediaTypes.index}¦${mediaTypes.manifest}¦?tag=¦&tag=1¦?ns=¦:5000/¦_5000/¦/manifests/¦/blobs/` +
    '¦/referrers/¦/tags/list¦?n=1¦&last=¦?artifactType=¦..%2f¦%2e%2e/¦%00¦//¦_manifests¦{}¦GET ¦HEAD ¦"x":[{},{}]',
  {
    manifest: {
      samples: [
        push('/v2/team/web/manifests/1.0.0', mediaTypes.manifest, image),
        push(`/v2/team/web/manifests/${sha256(referrer)}?tag=a&tag=b`, `${mediaTypes.manifest};x=y`, referrer),
        push('/v2/localhost_5000/web/manifests/1', mediaTypes.index, empty),
        push('/v2/web/manifests/1?ns=registry:5000', mediaTypes.index, empty),
        push('/v2/team/web/manifests/list?ns=registry.example.com', mediaTypes.index, index),
        push(`/v2/team/web/manifests/${sha256(signatures)}`, 'application/json', signatures),
      ],
      read: readPush,
    },
    request: {
      samples: [
        'GET /v2/team/web/manifests/1.0.0',
        `HEAD /v2/team/web/blobs/${digest}`,
        `GET /v2/team/web/referrers/${subject.digest}?artifactType=text/plain&last=${digest}`,
        'GET /v2/team/web/tags/list?n=1&last=a',
        'GET /v2/_catalog?n=2',
      ],
      read: readRequest,
    },
  },
);

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Asks `serve` as a client does, without a connection, and returns its answer: a refusal is one as well. */
async function ask(shelf: Shelf, head: string, body: Uint8Array = Buffer.alloc(0)): Promise<Sent> {
  const [method = '', url = '', ...type] = head.split(' ');
  const socket = {
    destroyed: false,
    closed: false,
    once: () => undefined,
    off: () => undefined,
    destroy: () => undefined,
  };
  const headers = { 'content-type': type.join(' '), 'content-length': String(body.length) };
  const request = Object.assign(Readable.from([body]), { method, url, headers, socket });
  const sent: { status: number; headers: Record<string, unknown>; parts: Uint8Array[] } = {
    status: 0,
    headers: {},
    parts: [],
  };
  const response = {
    writableFinished: true,
    headersSent: false,
    setHeader: (name: string, value: unknown) => void Object.assign(sent.headers, { [name]: value }),
    writeHead: (status: number, more: object) => {
      sent.status = status;
      Object.assign(sent.headers, more);
      return response;
    },
    write: (chunk: Uint8Array, then: () => void) => {
      sent.parts.push(Uint8Array.from(chunk));
      then();
    },
    end: (chunk?: Uint8Array) => void (chunk && sent.parts.push(Uint8Array.from(chunk))),
  };
  const exchange = {
    request: request as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    count: () => undefined,
  };
  try {
    await answer(exchange, shelf);
    return { status: sent.status, headers: sent.headers, body: Buffer.concat(sent.parts) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    checkMessage(error.message);
    must(error.status >= 400 && error.status < 500, `${error.status} answers a request that is wrong`);
    return { status: error.status, headers: error.headers, body: Buffer.from(error.code) };
  } finally {
    request.destroy();
  }
}

function shelfOf(store: MemoryStore): Shelf {
  const integrity = createIntegrity(AbortSignal.any([]));
  const memory = shareMemory(() => undefined);
  return { repositories: joinArchives([]), store, integrity, referrers: createReferrers(integrity), memory };
}

/** Pushes a manifest; what was taken is sent again as it was, is listed where it says, and is read again after a restart. */
async function readPush(bytes: Buffer): Promise<string> {
  const end = bytes.indexOf('\n');
  const [head, body] = [bytes.toString('latin1', 0, Math.max(0, end)), bytes.subarray(end + 1)];
  const store = memoryStore('team/web', [blob]);
  const shelf = shelfOf(store);
  const { status, headers } = await ask(shelf, head, body);
  for (const key of store.keys()) mustBeKept(key);
  if (status !== 201 || !head.startsWith('PUT ')) return String(status);
  const own = headers['docker-content-digest'] as Digest;
  const location = String(headers['location']);
  const name = /^(\/v2\/.+)\/manifests\/[^/]+$/s.exec(location)?.[1] ?? '';
  const ns = parseRequestUrl(head.split(' ')[1] ?? '').query.get('ns');
  const query = ns === null ? '' : `?ns=${encodeURIComponent(ns)}`;
  const again = await ask(shelf, `GET ${name}/manifests/${own}${query}`);
  must(again.status === 200 && again.body.equals(body), 'a manifest is sent otherwise than it was pushed');
  const value = parseManifest(body, String(again.headers['content-type']));
  must(value.mediaType === again.headers['content-type'], 'a manifest gets another type');
  if (value.subject !== undefined) {
    const list = await ask(shelf, `GET ${name}/referrers/${value.subject.digest}${query}`);
    const { manifests } = listed.parse(JSON.parse(list.body.toString()));
    must(
      manifests.some((one) => one.digest === own),
      'a referrer is not listed',
    );
  }
  return 'read';
}

const listed = z.object({ manifests: z.array(z.object({ digest: z.string() })) });

/** That the folder of a repository is one of its own below that of all, from which the same key is read after a restart. */
function mustBeKept(key: string): void {
  const folder = folderOf(key);
  must(
    normalize(`/a/${folder}`) === `/a/${folder}` && !folder.split('/').some((part) => /^(?:_.*|\.+|)$/.test(part)),
    `${key} is kept in ${folder}`,
  );
  must(pushedKey(folder) === key, `${key} is another repository after a restart: ${pushedKey(folder)}`);
}

async function readRequest(bytes: Buffer): Promise<string> {
  const store = memoryStore('team/web', [blob]);
  const shelf = shelfOf(store);
  await ask(shelf, `PUT /v2/team/web/manifests/1.0.0 ${mediaTypes.manifest}`, image);
  await ask(shelf, `PUT /v2/team/web/manifests/a ${mediaTypes.manifest}`, referrer);
  const { status, headers } = await ask(shelf, bytes.toString('latin1'));
  for (const key of store.keys()) mustBeKept(key);
  const texts = Object.values(headers).flat().map(String);
  must(!texts.some((text) => /[\0\r\n]/.test(text)), 'a header of an answer has a line break');
  return status === 200 ? 'read' : String(status);
}
