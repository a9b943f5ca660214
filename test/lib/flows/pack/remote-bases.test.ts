import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { solpack, succeeds } from '../../../support/cli.ts';
import { fileServer } from '../../../support/file-server.ts';
import { answerGit, git } from '../../../support/git-server.ts';
import { find, judged, ok, scratch } from '../../../support/judges.ts';
import { configMap, plant } from '../../parts/components/support.ts';

const folder = scratch('remote-bases');
const site = plant(join(folder, 'site'), {});
const repositories = plant(join(folder, 'git'), {});
const server = fileServer(site);
let commit = '';

beforeAll(async () => {
  if (!find('git') || !find('openssl')) return;
  const work = plant(join(folder, 'work'), {
    'base/kustomization.yaml': 'resources:\n- map.yaml\n- ../common\n',
    'base/map.yaml': configMap('base'),
    'common/kustomization.yaml': 'resources:\n- crlf.yaml\n',
    'common/crlf.yaml': configMap('shared'),
    '.gitattributes': '*.yaml text eol=crlf ident\nbase export-ignore\n',
    'secret.yaml': configMap('secret'),
    'linked/kustomization.yaml': { link: '/etc/hostname' },
  });
  await git(work, 'init', '--quiet', '--initial-branch=main');
  await git(work, 'add', '.');
  await git(work, 'commit', '--quiet', '-m', 'base');
  commit = await git(work, 'rev-parse', 'HEAD');
  await git(work, 'tag', 'v1');
  await ok('git', ['clone', '--quiet', '--bare', work, join(repositories, 'org/app.git')]);
  (await server()).answer = (request, response) => answerGit(repositories, request, response);
});

const definition = (path: string, kind = 'kustomize'): string =>
  `name = "s"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "${kind}"\npath = "${path}"\n`;

async function pack(home: string, ...more: string[]): ReturnType<typeof solpack> {
  const { certs, authority } = await server();
  const env = { GIT_SSL_CAINFO: authority, GIT_DIR: '/nowhere', GIT_CONFIG_GLOBAL: join(folder, 'gitconfig') };
  return solpack(['pack', home, '-o', join(home, 'out.iso'), '--certs-dir', certs, ...more], { env });
}

/** What kubectl makes of the packed component, where there is no network. */
async function built(home: string, entry = ''): Promise<string> {
  const out = join(home, 'extracted');
  rmSync(out, { recursive: true, force: true });
  await succeeds(['extract', join(home, 'out.iso'), 'components/web', '-C', out]);
  return ok('kubectl', ['kustomize', join(out, 'components/web', entry)]);
}

describe('remote bases of a kustomization', () => {
  judged('are packed as the commit has them, and build without a network', ['git', 'kubectl', 'openssl'], async () => {
    const { url, requests } = await server();
    writeFileSync(join(site, 'extra.yaml'), configMap('extra'));
    const home = plant(join(folder, 'remote'), {
      'solution.toml': definition('overlay'),
      'overlay/kustomization.yaml': `# kept
namePrefix: my-
resources:
- ${url}/org/app.git//base?ref=${commit}
- ${url}/extra.yaml # a file
`,
    });
    expect(await pack(home)).toMatchObject({ code: 0 });
    const objects = await built(home);
    expect(objects.match(/^ {2}name: .*$/gm)?.sort()).toEqual([
      '  name: my-base',
      '  name: my-extra',
      '  name: my-shared',
    ]);
    const lock = readFileSync(join(home, 'solution.lock'), 'utf8');
    expect(lock).toContain(`version = "${commit}"`);
    expect(lock.match(/\[\[sources\]\]/g)).toHaveLength(2);
    requests();
    const first = readFileSync(join(home, 'out.iso'));
    expect(await pack(home, '--locked')).toMatchObject({ code: 0 });
    expect(requests()).toEqual([]);
    rmSync(join(home, '.solpack'), { recursive: true });
    expect(await pack(home, '--locked')).toMatchObject({ code: 0 });
    expect(readFileSync(join(home, 'out.iso')).equals(first)).toBe(true);
    writeFileSync(join(site, 'extra.yaml'), configMap('other'));
    expect(await pack(home, '--locked')).toMatchObject({ code: 0 });
    rmSync(join(home, '.solpack'), { recursive: true });
    expect(await pack(home, '--locked')).toMatchObject({ code: 2, stderr: expect.stringContaining('lock-mismatch') });
  });

  judged('are refused by branch and tag, with what to write instead', ['git', 'openssl'], async () => {
    const { url } = await server();
    for (const ref of ['?ref=v1', '?ref=main', `?ref=${commit.slice(0, 12)}`, '']) {
      const home = plant(join(folder, 'branch'), {
        'solution.toml': definition('.'),
        'kustomization.yaml': `resources:\n- ${url}/org/app.git//base${ref}\n`,
      });
      expect(await pack(home)).toMatchObject({ code: 2, stderr: expect.stringContaining('git ls-remote') });
    }
  });

  judged('are told to be missing', ['git', 'openssl'], async () => {
    const { url } = await server();
    const absent = 'a'.repeat(40);
    for (const reference of [
      `${url}/org/app.git//base?ref=${absent}`,
      `${url}/org/none.git//base?ref=${commit}`,
      `${url}/none.yaml`,
    ]) {
      const home = plant(join(folder, 'absent'), {
        'solution.toml': definition('.'),
        'kustomization.yaml': `resources:\n- ${reference}\n`,
      });
      const { code, stderr } = await pack(home);
      expect({ code, stderr }).toMatchObject({
        code: expect.any(Number),
        stderr: expect.stringMatching(/component-absent|file-missing/),
      });
      expect(code).not.toBe(70);
    }
  });
});

describe('a component that is a folder of a repository', () => {
  judged('is a kustomization, or manifests', ['git', 'kubectl', 'openssl'], async () => {
    const { url } = await server();
    const home = plant(join(folder, 'whole'), {
      'solution.toml': definition(`${url}/org/app.git//base?ref=${commit}`),
    });
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(await built(home, 'base')).toContain('name: shared');
    writeFileSync(join(home, 'solution.toml'), definition(`${url}/org/app.git//common?ref=${commit}`, 'manifests'));
    const { code, stderr } = await pack(home);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${url}/org/app.git/common/kustomization.yaml:1:1`),
    });
    expect(stderr).not.toContain('solpack-');
  });

  judged('cannot lead out of it by a link', ['git', 'openssl'], async () => {
    const { url } = await server();
    const home = plant(join(folder, 'linked'), {
      'solution.toml': definition(`${url}/org/app.git//linked?ref=${commit}`),
    });
    expect(await pack(home)).toMatchObject({ code: 2, stderr: expect.stringContaining('symbolic link leads out') });
  });

  judged('may be a file of manifests at an address', ['openssl'], async () => {
    const { url, requests } = await server();
    mkdirSync(join(site, 'v1'), { recursive: true });
    writeFileSync(join(site, 'v1/install.yaml'), configMap('installed'));
    const home = plant(join(folder, 'file'), { 'solution.toml': definition(`${url}/v1/install.yaml`, 'manifests') });
    requests();
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(requests()).toHaveLength(1);
    expect(await succeeds(['ls', join(home, 'out.iso')])).toContain('components/web/install.yaml');
  });
});
