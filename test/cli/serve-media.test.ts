import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, starts, succeeds } from '../support/cli.ts';
import { sha256Of } from '../support/iso/listing.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';
import { deviceTest } from '../support/loop-device.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('serve-media');
const cwd = folder;
const image = join(folder, 'hello.iso');
/** Digests of the layers. */
let layers: string[] = [];

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  await succeeds(['pack', 'hello', '-o', 'hello.iso'], { cwd });
  const listed = await succeeds(['ls', 'hello.iso', 'blobs', '--json'], { cwd });
  const files = listed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string; type: string; size: number });
  layers = files.flatMap(({ path, type }) => (type === 'file' ? [`sha256:${path.split('/').at(-1)}`] : []));
});

/**
 * Asks for every content: each answer is an error, or breaks off, or is right to the last byte. Tells how many were
 * right.
 */
async function rightAnswers(url: string): Promise<number> {
  let right = 0;
  for (const digest of layers) {
    const answer = await fetch(`${url}/v2/hello/web/blobs/${digest}`);
    const bytes = await answer.arrayBuffer().catch(() => undefined);
    if (answer.status !== 200) expect([404, 500, 502, 503]).toContain(answer.status);
    else if (bytes) {
      expect(`sha256:${sha256Of(Buffer.from(bytes))}`).toBe(digest);
      right += 1;
    }
  }
  return right;
}

const until = (url: string, wanted: (right: number) => boolean): Promise<void> =>
  eventually(async () => wanted(await rightAnswers(url))).toBe(true);

/** Serves a medium, takes it away while it serves, and puts it back. */
async function isSurvived(
  medium: string,
  pull: () => Promise<unknown>,
  putBack: () => Promise<unknown>,
): Promise<void> {
  await using serving = await starts(['serve', medium, '--listen', '127.0.0.1:0'], { cwd });
  const all = await rightAnswers(serving.first);
  expect(all).toBeGreaterThan(3);
  await pull();
  await rightAnswers(serving.first);
  await until(serving.first, (right) => right === 0);
  const ready = async (): Promise<number> => (await fetch(`${serving.first}/readyz`)).status;
  await eventually(ready).toBe(503);
  await putBack();
  await until(serving.first, (right) => right === all);
  await eventually(ready).toBe(200);
  expect(await serving.stop()).toBe(0);
}

describe('a medium that is pulled out while it is served gives errors, never wrong bytes, and serves again once it is back:', () => {
  judged('a mounted folder', ['fuseiso'], async () => {
    const at = join(folder, 'mounted');
    mkdirSync(at);
    const mount = (): Promise<string> => ok('fuseiso', [image, at]);
    await mount();
    try {
      await isSurvived(at, () => ok('fusermount', ['-u', '-z', at]), mount);
    } finally {
      await run('fusermount', ['-u', '-z', at]);
    }
  });

  deviceTest('a drive whose medium ends too early', async () => {
    const file = join(folder, 'cut.iso');
    copyFileSync(image, file);
    const device = (await ok('losetup', ['--find', '--show', '--read-only', file])).trim();
    const cut = async (): Promise<void> => {
      truncateSync(file, 64 * 1024);
      await ok('losetup', ['--set-capacity', device]);
    };
    const whole = async (): Promise<void> => {
      copyFileSync(image, file);
      await ok('losetup', ['--set-capacity', device]);
    };
    try {
      await isSurvived(device, cut, whole);
    } finally {
      await run('losetup', ['--detach', device]);
    }
  });

  judged('a file', [], async () => {
    const file = join(folder, 'file.iso');
    copyFileSync(image, file);
    await isSurvived(
      file,
      async () => renameSync(file, `${file}.away`),
      async () => renameSync(`${file}.away`, file),
    );
  });

  judged('a file that is cut off in place', [], async () => {
    const file = join(folder, 'short.iso');
    copyFileSync(image, file);
    expect(statSync(file).size).toBeGreaterThan(64 * 1024);
    await isSurvived(
      file,
      async () => truncateSync(file, 64 * 1024),
      async () => copyFileSync(image, file),
    );
    expect(readFileSync(file).equals(readFileSync(image))).toBe(true);
    rmSync(file);
  });
});
