import { copyFileSync, mkdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { openRemote } from '../../lib/kernel/http/remote-file.ts';
import { solpack, succeeds } from '../support/cli.ts';
import { judged, scratch } from '../support/judges.ts';
import { packMany } from '../support/many.ts';
import { nginx } from '../support/nginx.ts';
import { startProxy } from '../support/proxy.ts';
import { selfSigned } from '../support/registry.ts';

const folder = scratch('remote');
const at = (...names: string[]): string => join(folder, ...names);
const needed = ['nginx', 'openssl'] as const;
const MIB = 1024 * 1024;

const start = nginx(folder, async () => {
  await selfSigned(at('ca.key'), at('ca.pem'), ['-subj', '/CN=an authority']);
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-subj', '/CN=a server'];
  const extensions = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=CA:FALSE'];
  await selfSigned(at('server.key'), at('server.pem'), [...signed, ...extensions]);
  writeFileSync(at('passwords'), 'ada:{PLAIN}letmein123\n');
  return {
    certificate: at('server.pem'),
    key: at('server.key'),
    locations: `
    location /whole/ { alias ${folder}/; max_ranges 0; }
    location /private/ { alias ${folder}/; auth_basic files; auth_basic_user_file ${at('passwords')}; }
    location /denied/ { deny all; }
    location /moved.iso { return 302 /indexes.iso; }
    location /broken/ { return 503; }`,
  };
});

beforeAll(async () => {
  mkdirSync(at('indexes'));
  mkdirSync(at('manifests'));
  await packMany(at('indexes'), 'indexes', [at('indexes.iso')]);
  await packMany(at('manifests'), 'manifests', [at('manifests.iso'), at('manifests.tar')]);
  await succeeds(['keygen', '-o', at('release')]);
  await succeeds(['sign', at('indexes.iso'), '--private-key', at('release.key')]);
});

async function inspected(archive: string, ...options: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await succeeds(['inspect', '--json', '-q', archive, ...options]));
}

describe('inspect', () => {
  for (const file of ['indexes.iso', 'manifests.iso']) {
    judged(`tells all of 200 images (${file}) after 12 requests and 2 MiB at most`, needed, async () => {
      const { url, requests } = await start();
      await requests();
      const remote = await inspected(`${url}/${file}`);
      expect(remote).toEqual({ ...(await inspected(at(file))), path: `${url}/${file}` });
      expect(remote['images']).toHaveLength(200);
      expect(remote['signatures']).toHaveLength(file === 'indexes.iso' ? 1 : 0);
      const made = await requests();
      expect(made.length).toBeGreaterThan(0);
      expect(made.length).toBeLessThanOrEqual(12);
      expect(made.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(2 * MIB);
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([206]));
    });
  }

  judged('tells the same of a tar archive, of which it reads every header', needed, async () => {
    const { url } = await start();
    const remote = await inspected(`${url}/manifests.tar`);
    expect(remote).toEqual({ ...(await inspected(at('manifests.tar'))), path: `${url}/manifests.tar` });
  });

  judged('goes through the proxies of the environment, and names one that cannot be reached', needed, async () => {
    const { url } = await start();
    const proxy = await startProxy({ 'releases.example': new URL(url).host });
    const env = { http_proxy: proxy.url.href, no_proxy: 'other.example' };
    const args = ['inspect', '--json', '-q', 'http://releases.example/manifests.iso'];
    const remote = JSON.parse(await succeeds(args, { env }));
    expect(remote).toEqual({
      ...(await inspected(at('manifests.iso'))),
      path: 'http://releases.example/manifests.iso',
    });
    expect(new Set(proxy.asked)).toEqual(new Set(['GET http://releases.example']));
    const gone = await solpack(args, { env: { http_proxy: 'http://127.0.0.1:1' } });
    expect([gone.code, gone.stderr]).toEqual([
      4,
      expect.stringMatching(/^solpack: .*cannot be read: .*proxy .*127\.0\.0\.1:1.*\[remote-unreachable\]\n$/),
    ]);
  });

  judged('trusts the authority of --ca-file over https, and no unknown one', needed, async () => {
    const { secureUrl } = await start();
    const address = `${secureUrl}/indexes.iso`;
    expect(await inspected(address, '--ca-file', at('ca.pem'))).toMatchObject({ name: 'many', path: address });
    const { code, stderr } = await solpack(['inspect', '-q', address]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^solpack: https:.*\/indexes\.iso: cannot be read: .*--ca-file \[remote-unreachable\]\n$/);
  });

  judged('follows a redirect', needed, async () => {
    const { url, requests } = await start();
    await requests();
    expect(await inspected(`${url}/moved.iso`)).toMatchObject({ name: 'many', path: `${url}/moved.iso` });
    expect((await requests()).filter(({ status }) => status === 302)).toHaveLength(1);
  });

  judged('sends user and password of the address, and never prints them', needed, async () => {
    const { url } = await start();
    const address = `${url.replace('//', '//ada:letmein123@')}/private/indexes.iso`;
    expect(await inspected(address)).toMatchObject({ path: `${url}/private/indexes.iso` });
    const refused = await solpack(['inspect', `${address.replace('letmein', 'letmeout')}`]);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('the server refuses access (status 401)');
    expect(refused.stderr).toContain('[remote-denied]');
    expect(refused.stdout + refused.stderr).not.toContain('letme');
  });
});

describe('other commands', () => {
  judged('verify checks every byte where it lies, and fetches no byte twice', needed, async () => {
    const { url, requests } = await start();
    await requests();
    const args = ['verify', '--json', '-q', '--key', at('release.pub')];
    const result = JSON.parse(await succeeds([...args, `${url}/indexes.iso`]));
    expect(result).toMatchObject({ ok: true, trusted: true, size: statSync(at('indexes.iso')).size });
    const bytes = (await requests()).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(bytes).toBeLessThanOrEqual(1.1 * statSync(at('indexes.iso')).size);
  });

  judged('ls and extract give what they give of the file', needed, async () => {
    const { url } = await start();
    const address = `${url}/manifests.iso`;
    expect(await succeeds(['ls', '--json', '--digests', address])).toBe(
      await succeeds(['ls', '--json', '--digests', at('manifests.iso')]),
    );
    await succeeds(['extract', address, 'index.json', '.solpack/root.json', '-C', at('out')]);
    await succeeds(['extract', at('manifests.iso'), 'index.json', '.solpack/root.json', '-C', at('same')]);
    for (const name of ['index.json', '.solpack/root.json']) {
      expect(readFileSync(at('out', name))).toEqual(readFileSync(at('same', name)));
    }
    const { code, stderr } = await solpack(['ls', address, 'absent']);
    expect(code).toBe(2);
    expect(stderr).toContain(`absent: is not in ${address}; "solpack ls ${address}" lists what is`);
  });
});

describe('a server', () => {
  judged('that sends whole files only is reported so, and the file is not downloaded', needed, async () => {
    const { url, requests } = await start();
    copyFileSync(at('manifests.iso'), at('large.iso'));
    truncateSync(at('large.iso'), 2048 * MIB);
    await requests();
    const { code, stderr } = await solpack(['inspect', '-q', `${url}/whole/large.iso`]);
    expect(code).toBe(4);
    expect(stderr).toBe(
      `solpack: ${url}/whole/large.iso: the server sends files only whole, and does not support range requests; ` +
        'download the file and name that, or configure the server to support Range (RFC 9110, 14.2) [remote-unranged]\n',
    );
    const made = await requests();
    expect(made).toMatchObject([{ status: 200, range: 'bytes=0-65535' }]);
    expect(made[0]!.bytes).toBeLessThan(64 * MIB);
  });

  judged('where the file is replaced meanwhile is noticed', needed, async () => {
    const { url } = await start();
    copyFileSync(at('manifests.iso'), at('replaced.iso'));
    const file = await openRemote(new URL(`${url}/replaced.iso`));
    try {
      copyFileSync(at('indexes.iso'), at('new.iso'));
      renameSync(at('new.iso'), at('replaced.iso'));
      await expect(file.read(512 * 1024, 10)).rejects.toMatchObject({ code: 'remote-changed' });
    } finally {
      await file.close();
    }
  });

  judged('that has no such file, or denies it, is reported with the status', needed, async () => {
    const { url } = await start();
    const absent = await solpack(['verify', '-q', `${url}/absent.iso`]);
    expect(absent.code).toBe(2);
    expect(absent.stderr).toBe(
      `solpack: ${url}/absent.iso: the server has no such file (status 404); check the address [file-missing]\n`,
    );
    const denied = await solpack(['ls', '-q', `${url}/denied/x.iso`]);
    expect(denied.code).toBe(4);
    expect(denied.stderr).toContain('the server refuses access (status 403)');
  });

  judged('that fails is asked four times', needed, async () => {
    const { url, requests } = await start();
    await requests();
    const opening = openRemote(new URL(`${url}/broken/x.iso`), { timing: { pause: 1 } });
    await expect(opening).rejects.toMatchObject({ code: 'remote-error', message: expect.stringContaining('503') });
    expect(await requests()).toHaveLength(4);
  });
});

describe('the command line', () => {
  judged('refuses what is not an address, and authorities that are none or not asked for', needed, async () => {
    await start();
    for (const [args, why] of [
      [['http://['], 'http://[: is not an address'],
      [[at('indexes.iso'), '--ca-file', at('ca.pem')], '--ca-file: is for archives at https://'],
      [['https://127.0.0.1:1/x.iso', '--ca-file', at('passwords')], 'does not hold certificates in PEM form'],
    ] as const) {
      const { code, stderr } = await solpack(['inspect', '-q', ...args]);
      expect(code).toBe(2);
      expect(stderr).toContain(why);
      expect(stderr).toContain('[usage-invalid]');
    }
  });
});
