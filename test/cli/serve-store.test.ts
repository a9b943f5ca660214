import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { noise } from '../support/registry.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('serve-store');
const cwd = folder;
const serve = (store: string): string[] => ['serve', '--store', store, '--open-push', '--listen', '127.0.0.1:0'];

beforeAll(async () => {
  await smallSolution(folder);
});

describe('serve --store', () => {
  judged(
    'takes what skopeo, oras and install push, and gives it back unchanged, also when started anew',
    ['skopeo', 'oras'],
    async () => {
      await succeeds(['pack', '.', '-o', 'hello.iso'], { cwd });
      const source = 'registry.example.com/hello/web:1.0.0';
      const raw = await ok('skopeo', ['inspect', '--raw', `oci:images:${source}`], { cwd });
      writeFileSync(join(folder, 'note.txt'), 'a note');
      {
        await using serving = await starts(serve('registry'), { cwd });
        const host = serving.first.slice(7);
        await ok(
          'skopeo',
          ['copy', '--all', '--dest-tls-verify=false', `oci:images:${source}`, `docker://${host}/by/skopeo:1`],
          { cwd },
        );
        await ok('oras', [
          'cp',
          '-r',
          '--from-plain-http',
          '--to-plain-http',
          `${host}/by/skopeo:1`,
          `${host}/by/oras:1`,
        ]);
        await ok(
          'oras',
          ['attach', '--plain-http', '--artifact-type', 'example/note', `${host}/by/oras:1`, 'note.txt'],
          { cwd },
        );
        const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
        writeFileSync(join(folder, 'solutions.yaml'), `${head}archives: [hello.iso]\nactive: {hello: latest}\n`);
        await succeeds(
          [
            'install',
            '-f',
            'solutions.yaml',
            '--insecure-skip-verify',
            '--images-only',
            '--registry',
            `${serving.first}/by/install`,
          ],
          { cwd },
        );
        expect(await serving.stop()).toBe(0);
      }
      await using again = await starts(serve('registry'), { cwd });
      const host = again.first.slice(7);
      for (const name of ['by/skopeo:1', 'by/oras:1', 'by/install/hello/web:1.0.0']) {
        const pulled = await ok('skopeo', ['inspect', '--raw', '--tls-verify=false', `docker://${host}/${name}`]);
        expect(sha256(pulled)).toBe(sha256(raw));
        const to = `dir:${join(folder, name.replaceAll(/[/:]/g, '-'))}`;
        await ok('skopeo', ['copy', '--all', '--src-tls-verify=false', `docker://${host}/${name}`, to]);
      }
      expect(await ok('oras', ['discover', '--plain-http', `${host}/by/oras:1`])).toContain('example/note');
      const copied = `${host}/team/mounted:1`;
      await ok('oras', ['cp', '-r', '--from-plain-http', '--to-plain-http', `${host}/by/oras:1`, copied]);
      expect(await ok('oras', ['discover', '--plain-http', copied])).toContain('example/note');
    },
  );

  test('has all that it said it has when it was killed, and nothing half done', async () => {
    const pushed: { digest: string; size: number }[] = [];
    {
      await using serving = await starts(serve('killed'), { cwd });
      const uploads = `${serving.first}/v2/a/b/blobs/uploads/`;
      const push = async (number: number): Promise<void> => {
        const bytes = noise(`killed ${number}`, 200_000);
        const query = `?digest=${sha256(bytes)}`;
        const { status } = await fetch(`${uploads}${query}`, { method: 'POST', body: new Uint8Array(bytes) });
        if (status === 201) pushed.push({ digest: sha256(bytes), size: bytes.length });
      };
      const running = Array.from({ length: 60 }, (_, number) => push(number).catch(() => undefined));
      await eventually(() => pushed.length).toBeGreaterThan(5);
      await serving.stop('SIGKILL');
      await Promise.all(running);
    }
    await using again = await starts(serve('killed'), { cwd });
    for (const { digest, size } of pushed) {
      const reply = await fetch(`${again.first}/v2/a/b/blobs/${digest}`);
      const bytes = new Uint8Array(await reply.arrayBuffer());
      expect([reply.status, bytes.length, sha256(bytes)]).toEqual([200, size, digest]);
    }
    expect(readdirSync(join(folder, 'killed/uploads'))).toEqual([]);
  });

  test('is for one process at a time', async () => {
    await using _ = await starts(serve('busy'), { cwd });
    const { code, stderr } = await solpack(serve('busy'), { cwd });
    expect([code, stderr]).toEqual([6, expect.stringContaining('[store-busy]')]);
  });

  test('takes blobs away that no manifest names, after the time that --expiry says', async () => {
    await using serving = await starts([...serve('expiring'), '--expiry', '1s'], { cwd });
    const bytes = noise('expiring', 1000);
    const url = `${serving.first}/v2/a/b/blobs`;
    const query = `?digest=${sha256(bytes)}`;
    await fetch(`${url}/uploads/${query}`, { method: 'POST', body: new Uint8Array(bytes) });
    const blobs = (): string[] => readdirSync(join(folder, 'expiring/blobs/sha256'));
    expect(blobs()).toHaveLength(1);
    await eventually(() => blobs().length).toBe(0);
    expect((await fetch(`${url}/${sha256(bytes)}`)).status).toBe(404);
  });

  test.each(['0s', '25h', 'soon'])('refuses the expiry %s', async (expiry) => {
    const { code, stderr } = await solpack([...serve('never'), '--expiry', expiry], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--expiry')]);
  });
});
