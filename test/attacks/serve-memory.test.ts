import { connect } from 'node:net';
import { expect } from 'vitest';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { mediaTypes } from '../../formats/oci/descriptor.ts';
import { starts } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import { fieldOf, listenerOn } from '../support/processes.ts';
import { eventually } from '../support/until.ts';
import { type Attacked, clientAttack, expectAnswer, serving } from './serving.ts';

// Whoever may push fills the memory of `serve`, or lets others fill it who only read.

const folder = scratch('attacks-serve-memory');
const MIB = 1024 * 1024;
const subject = { mediaType: mediaTypes.manifest, digest: sha256('nothing that is there'), size: 10 };
const empty = { mediaType: mediaTypes.empty, digest: sha256('{}'), size: 2 };

/** A `serve` in a process of its own, with a store that everybody may push to. */
async function servingApart(store: string): Promise<Attacked & { peak(): number }> {
  const running = await starts(['serve', '--store', store, '--open-push', '--listen', '127.0.0.1:0', '--quiet'], {
    cwd: folder,
  });
  const url = running.first;
  return {
    url,
    said: running.said,
    call: (path, init) => fetch(`${url}/v2/${path}`, init),
    peak: () => fieldOf(listenerOn(new URL(url).port), 'status', 'VmHWM') * 1024,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function pushEmpty({ call }: Attacked): Promise<void> {
  const reply = await call(`a/b/blobs/uploads/?digest=${empty.digest}`, { method: 'POST', body: '{}' });
  expect(reply.status).toBe(201);
}

/** Pushes a manifest under a tag. */
function push({ call }: Attacked, tag: string, more: object): Promise<Response> {
  const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, config: empty, layers: [empty], ...more };
  const headers = { 'content-type': mediaTypes.manifest };
  return call(`a/b/manifests/${tag}`, { method: 'PUT', headers, body: JSON.stringify(manifest) });
}

/** Pushes referrers of `subject`, each with almost as many bytes of annotations as a manifest may have. */
async function pushReferrers(attacked: Attacked, count: number): Promise<Response> {
  await pushEmpty(attacked);
  let last: Response | undefined;
  for (let number = 0; number < count; number += 1) {
    const annotations = { x: `${number} ${'y'.repeat(4 * MIB - 1000)}` };
    last = await push(attacked, `t${number}`, { subject, annotations });
  }
  return last!;
}

clientAttack('manifests with megabytes of annotations, by the hundred', async (answer) => {
  await using attacked = await servingApart('annotated');
  await expectAnswer(await pushReferrers(attacked, 60), answer);
  expect(attacked.peak()).toBeLessThan(256 * MIB);
});

clientAttack('manifests whose artifactType is megabytes long', async (answer) => {
  await using attacked = await serving(folder, '--store', 'typed', '--open-push', '--quiet');
  await pushEmpty(attacked);
  await expectAnswer(await push(attacked, 'a', { subject, artifactType: `a/${'b'.repeat(MIB)}` }), answer);
  const config = { ...empty, mediaType: `a/${'b'.repeat(MIB)}` };
  await expectAnswer(await push(attacked, 'b', { subject, config }), answer);
});

clientAttack('readers of the list of such referrers who stand still', async () => {
  await using attacked = await servingApart('listed');
  await pushReferrers(attacked, 10);
  const { hostname, port } = new URL(attacked.url);
  const ask = `GET /v2/a/b/referrers/${subject.digest} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const all = Array.from({ length: 24 }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(ask));
    return socket.on('error', () => undefined).pause();
  });
  const cuts = async (): Promise<number> => {
    const text = await (await fetch(`${attacked.url}/metrics`)).text();
    return Number(/^solpack_http_cut_connections_total (\S+)$/m.exec(text)?.[1]);
  };
  await eventually(cuts).toBeGreaterThan(0);
  expect(attacked.peak()).toBeLessThan(256 * MIB);
  for (const socket of all) socket.destroy();
  // Whoever reads gets all of it, page by page.
  const listed = new Set<Digest>();
  let next: string | undefined = `/v2/a/b/referrers/${subject.digest}`;
  while (next !== undefined) {
    const reply: Response = await fetch(`${attacked.url}${next}`);
    const { manifests } = (await reply.json()) as { manifests: { digest: Digest; annotations: { x: string } }[] };
    for (const { digest, annotations } of manifests) {
      expect(annotations.x).toMatch(/^\d y+$/);
      listed.add(digest);
    }
    next = /<(.*)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  expect(listed.size).toBe(10);
});

clientAttack('a manifest of more names and values than are taken', async (answer) => {
  await using attacked = await serving(folder, '--store', 'parts', '--open-push', '--quiet');
  await pushEmpty(attacked);
  const annotations = Object.fromEntries(Array.from({ length: 60_000 }, (_, number) => [number, '']));
  await expectAnswer(await push(attacked, 'a', { annotations }), answer);
});

clientAttack('more manifests and tags than a store may know', async (answer) => {
  await using attacked = await serving(folder, '--store', 'known', '--open-push', '--quiet');
  await pushEmpty(attacked);
  // Foreign layers need not be there.
  const layer = (number: number): object => ({
    mediaType: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
    digest: sha256(String(number)),
    size: 1,
  });
  let first: string | null | undefined;
  for (let number = 0; ; number += 1) {
    const layers = Array.from({ length: 12_000 }, (_, at) => layer(number * 12_000 + at));
    const reply = await push(attacked, `t${number}`, { layers });
    first ??= reply.headers.get('docker-content-digest');
    if (reply.status === 201 && number < 100) continue;
    await expectAnswer(reply, answer);
    break;
  }
  const begun = await attacked.call('a/b/blobs/uploads/', { method: 'POST' });
  await expectAnswer(begun, answer);
  // What is removed makes room.
  expect((await attacked.call(`a/b/manifests/${first}`, { method: 'DELETE' })).status).toBe(202);
  expect((await push(attacked, 'more', {})).status).toBe(201);
});
