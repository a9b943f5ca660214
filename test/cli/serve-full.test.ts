import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isManifestType } from '../../formats/oci/descriptor.ts';
import { connect, push } from '../lib/parts/registries/faults.ts';
import { type Running, running } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { noise, type SampleImage, sampleImage } from '../support/registry.ts';
import { solpackWords } from '../support/under-test.ts';

const folder = scratch('serve-full');
/** Room for one image of three layers of a megabyte, and not for two. */
const ROOM = 5_000_000;
const image = (seed: string, layer = 1_000_000): SampleImage => sampleImage(`full ${seed}`, layer);

/** Serves a store on a small disk of its own, in a mount namespace that goes with the process. */
function serveSmall(): Promise<Running> {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const serve = [...solpackWords, 'serve', '--store', join(disk, 'store'), '--open-push', '--listen', '127.0.0.1:0'];
  const mounting = `mount -t tmpfs -o size=${ROOM} tmpfs "$0" && exec "$@"`;
  const child = spawn('unshare', ['-rm', 'sh', '-c', mounting, disk, ...serve], { stdio: ['ignore', 'pipe', 'pipe'] });
  return running(child, serve, (signal) => child.kill(signal));
}

judged(
  'a store whose disk is full says so, has nothing of the image under its tag, and takes pushes once there is room',
  ['skopeo'],
  async (context) => {
    const namespaces = spawnSync('unshare', ['-rm', 'true']).status === 0;
    if (!namespaces && process.env['SOLPACK_REQUIRE_TOOLS'] !== '1') return context.skip('needs mount namespaces');
    await using serving = await serveSmall();
    const { host } = new URL(serving.first);
    const [old, late] = [await connect(host, 'team/old'), await connect(host, 'team/late')];
    await push(image('old'), old, '1');
    await expect(push(image('late'), late, '1')).rejects.toMatchObject({
      code: 'registry-error',
      side: 'target',
      subject: `${host}/team/late`,
      message: expect.stringMatching(/status 507 \(UNKNOWN: the store is full.*sha256:/),
      hint: 'the disk of the registry is full: make room there',
    });
    expect(await late.resolve('1')).toBeUndefined();
    expect(await late.has(image('late').root)).toBe(false);
    // What did not fit is not kept, also of a client that leaves it there: there is room for what does.
    const begun = await fetch(`${serving.first}/v2/team/raw/blobs/uploads/`, { method: 'POST' });
    const place = new URL(begun.headers.get('location')!, serving.first);
    const body = new Uint8Array(noise('raw', ROOM));
    expect((await fetch(place, { method: 'PATCH', body })).status).toBe(507);
    expect((await fetch(place)).status).toBe(404);
    const small = await connect(host, 'team/small');
    await push(image('small', 10_000), small, '1');
    await pulled(`${host}/team/old:1`);
    for (const { descriptor } of [...image('old').blobs.values()].reverse()) {
      const kind = isManifestType(descriptor.mediaType) ? 'manifests' : 'blobs';
      const { status } = await fetch(`${serving.first}/v2/team/old/${kind}/${descriptor.digest}`, { method: 'DELETE' });
      expect(status).toBe(202);
    }
    await push(image('late'), late, '1');
    for (const name of ['late', 'small']) await pulled(`${host}/team/${name}:1`);
    for (const repository of [old, late, small]) await repository.close();
  },
);

/** Pulls an image, all platforms of it, with a client that checks digests. */
async function pulled(reference: string): Promise<void> {
  const to = `dir:${join(folder, reference.replaceAll(/[:/]/g, '-'))}`;
  await ok('skopeo', ['copy', '-q', '--all', '--src-tls-verify=false', `docker://${reference}`, to]);
}
