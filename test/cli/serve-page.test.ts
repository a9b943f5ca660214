import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallSolution, starts, succeeds } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { user } from '../support/registry.ts';
import { until } from '../support/until.ts';

const folder = scratch('serve-page');
const cwd = folder;
const listen = ['--listen', '127.0.0.1:0'];
const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

beforeAll(async () => {
  await smallSolution(folder, { version: '1.0.0' });
  await succeeds(['pack', '.', '-o', 'hello.iso'], { cwd });
});

const pageAt = async (url: string, more: Record<string, string> = {}): Promise<string> => {
  const answer = await fetch(url, { headers: { accept, ...more } });
  expect(answer.status).toBe(200);
  return answer.text();
};

/** Asks with a Host of one's own, which `fetch` does not allow. */
const pageFor = (url: string, host: string): Promise<string> =>
  new Promise((settle, reject) => {
    const outgoing = request(url, { headers: { accept, host } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => settle(text));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });

describe('the page that serve shows a browser', () => {
  test('names archives without their folders, images, and how each client pulls from the address that was asked', async () => {
    await using serving = await starts(['serve', 'hello.iso', ...listen], { cwd });
    const page = await pageFor(serving.first, 'registry.example.net:5000');
    expect(page).toContain('<td class="text" data-label="Source">hello.iso</td>');
    expect(page).not.toContain(folder);
    expect(page).toMatch(
      /\/certs\.d\/registry\.example\.com\/hosts\.toml\nserver = &quot;http:\/\/registry\.example\.net:5000&quot;\n/,
    );
    expect(page).toContain('location = &quot;registry.example.net:5000/registry.example.com&quot;');
    expect(page).toContain('&quot;insecure-registries&quot;');
    expect(page).toContain(
      'skopeo copy --src-tls-verify=false docker://registry.example.net:5000/registry.example.com/',
    );
    expect(page).toContain('solpack pull registry.example.net:5000/solutions/hello:1.0.0');
    expect(page).toMatch(/Who may push<\/dt><dd>nobody/);
    expect(page).not.toContain('id="solutions"');
  });

  test('tells of a configuration which versions are served, and which archives are not and why', async () => {
    const archives = ['hello.iso', 'absent.iso', 'broken.iso'].map((name) => join(folder, name));
    writeFileSync(join(folder, 'broken.iso'), 'no archive');
    const solutions = [
      { name: 'hello', activeVersion: '1.0.0', archives },
      { name: 'other', activeVersion: '2.0.0', archives: [] },
    ];
    const document = {
      ...{ apiVersion: 'solutions.metalk8s.scality.com/v1alpha1', kind: 'SolutionsConfiguration' },
      ...{ metadata: { name: 'shop' }, solutions },
    };
    writeFileSync(join(folder, 'site.yaml'), JSON.stringify(document));
    await using serving = await starts(['serve', '-f', 'site.yaml', ...listen], { cwd });
    const page = await pageAt(serving.first);
    expect(page).toContain('Solutions of shop');
    expect(page).toMatch(/<th scope="row">hello<\/th><td[^>]*>1\.0\.0<\/td><td[^>]*>1\.0\.0<\/td>/);
    expect(page).toMatch(/<th scope="row">other<\/th><td[^>]*>2\.0\.0<\/td><td[^>]*><span class="bad">no version/);
    expect(page).toMatch(/<th scope="row">absent\.iso<\/th>/);
    expect(page).toMatch(/<th scope="row">broken\.iso<\/th>/);
    expect(page).not.toContain(folder);
  });

  judged('asks for the password that /v2/ asks for, and shows what was pushed', ['openssl'], async () => {
    const hash = await ok('openssl', ['passwd', '-6', user.password]);
    writeFileSync(join(folder, 'users'), `${user.username}:${hash}`);
    const store = ['--store', 'store', '--htpasswd', 'users'];
    await using serving = await starts(['serve', ...store, ...listen], { cwd });
    const refused = await fetch(serving.first, { headers: { accept } });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)]);
    const authorization = `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
    expect(await pageAt(serving.first, { authorization })).not.toContain('id="pushed"');
    const empty = { mediaType: 'application/vnd.oci.empty.v1+json', digest: EMPTY, size: 2 };
    const manifest = JSON.stringify({
      ...{ schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json' },
      ...{ artifactType: 'application/<script>', config: empty, layers: [empty] },
      annotations: { '</table><script>': '"><script>document.title=1</script>' },
    });
    const put = async (path: string, body: string, type: string): Promise<number> =>
      (
        await fetch(`${serving.first}${path}`, {
          ...{ method: path.includes('uploads') ? 'POST' : 'PUT', body },
          headers: { authorization, 'content-type': type },
        })
      ).status;
    expect(await put(`/v2/team/app/blobs/uploads/?digest=${EMPTY}`, '{}', 'application/octet-stream')).toBe(201);
    const type = 'application/vnd.oci.image.manifest.v1+json';
    expect(await put('/v2/team/app/manifests/1', manifest, type)).toBe(201);
    expect(await put('/v2/team/<script>/manifests/1', manifest, type)).toBe(400);
    expect(await put('/v2/team/app/manifests/<script>', manifest, type)).toBeGreaterThanOrEqual(400);
    const page = await until(
      () => pageAt(serving.first, { authorization }),
      (text) => text.includes('id="pushed"'),
    );
    expect(page).toMatch(/<th scope="row">team\/app<\/th><td[^>]*>1<\/td>/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain(user.username);
  });

  test('tells of a cluster that does not answer, on stderr why, and keeps nobody waiting', async () => {
    const kubeconfig = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a' },
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:1' } }],
      users: [{ name: 'a', user: { token: 'a-secret-token' } }],
    };
    writeFileSync(join(folder, 'admin.conf'), JSON.stringify(kubeconfig));
    await using serving = await starts(['serve', 'hello.iso', '--kubeconfig', 'admin.conf', ...listen], { cwd });
    expect(await pageAt(serving.first)).toContain('The cluster is being asked.');
    const page = await until(
      () => pageAt(serving.first),
      (text) => text.includes('The cluster did not answer'),
    );
    expect(page).not.toMatch(/127\.0\.0\.1:1\b|a-secret-token/);
  });
});

/** The digest of `{}`. */
const EMPTY = 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
