import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { packageChart, writeChart } from '../../../support/charts.ts';
import { solpack, succeeds } from '../../../support/cli.ts';
import { fileServer } from '../../../support/file-server.ts';
import { judged, ok, run, scratch } from '../../../support/judges.ts';
import { withArchive } from '../../../support/packing.ts';
import { dockerRegistry, user } from '../../../support/registry.ts';

const folder = scratch('remote-charts');
const site = join(folder, 'site');
mkdirSync(site);
const server = fileServer(site);
const registry = dockerRegistry(folder, { program: 'registry', htpasswd: true });

const lines = (path: string, ...more: string[]): string =>
  [
    'name = "s"',
    'version = "1.0.0"',
    '[[components]]',
    'name = "web"',
    'kind = "helm"',
    `path = "${path}"`,
    ...more,
    '',
  ].join('\n');

/** Writes a definition into a folder of its own. */
function define(name: string, path: string, ...more: string[]): string {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'solution.toml'), lines(path, ...more));
  return home;
}

/** Packs a definition with what the servers need; more arguments behind. */
async function pack(home: string, ...more: string[]): ReturnType<typeof solpack> {
  const { certs } = await server();
  const auth = Buffer.from(`${user.username}:${user.password}`).toString('base64');
  const authfile = join(folder, 'auth.json');
  writeFileSync(authfile, JSON.stringify({ auths: { [(await registry()).host]: { auth } } }));
  return solpack(['pack', home, '-o', join(home, 'out.tar'), '--certs-dir', certs, '--authfile', authfile, ...more]);
}

const lockOf = (home: string): string => readFileSync(join(home, 'solution.lock'), 'utf8');
const digestIn = (home: string): string => /\[\[sources\]\][\s\S]*?digest = "(.*)"/.exec(lockOf(home))![1]!;

/** Fills a Helm repository with versions of a chart, by helm itself. */
async function publish(repository: string, name: string, ...versions: string[]): Promise<void> {
  const into = join(site, repository);
  for (const version of versions) {
    if (existsSync(join(into, `${name}-${version}.tgz`))) continue;
    await packageChart(join(folder, 'work', repository), into, { name, version });
  }
  await ok('helm', ['repo', 'index', into]);
}

/** Pushes a version of a chart to the registry by helm. */
async function push(name: string, version: string): Promise<void> {
  const { host } = await registry();
  const file = await packageChart(join(folder, 'work'), join(folder, 'packages'), { name, version });
  const env = { HELM_REGISTRY_CONFIG: join(folder, 'helm.json') };
  await ok('helm', ['registry', 'login', host, '--plain-http', '-u', user.username, '-p', user.password], { env });
  await ok('helm', ['push', file, `oci://${host}/charts`, '--plain-http'], { env });
}

describe('a chart of a Helm repository', () => {
  judged('is taken in the highest version of the range, as helm would', ['helm', 'openssl'], async () => {
    await publish('stable', 'web', '1.0.0', '1.2.0', '1.10.0', '2.0.0', '1.11.0-rc.1');
    const { url, authority } = await server();
    const home = define('range', `${url}/stable/web`, 'version = "^1.0"');
    expect(await pack(home)).toMatchObject({ code: 0 });
    const into = join(folder, 'pulled');
    mkdirSync(into);
    await ok('helm', [
      'pull',
      'web',
      '--repo',
      `${url}/stable`,
      '--version',
      '^1.0',
      '--ca-file',
      authority,
      '-d',
      into,
    ]);
    expect(readdirSync(into)).toEqual(['web-1.10.0.tgz']);
    await withArchive(join(home, 'out.tar'), ({ catalog }) => {
      expect(catalog.metadata.components[0]).toMatchObject({ version: '1.10.0', chart: 'web-1.10.0.tgz' });
    });
    expect(lockOf(home)).toContain('version = "1.10.0"');
  });

  judged('stays what the lock names, and moves with --update', ['helm', 'openssl'], async () => {
    await publish('moving', 'web', '1.0.0');
    const { url, requests } = await server();
    const home = define('moving-home', `${url}/moving/web`, 'version = "1.x"');
    expect(await pack(home)).toMatchObject({ code: 0 });
    const first = readFileSync(join(home, 'out.tar'));
    await publish('moving', 'web', '1.0.0', '1.1.0');
    requests();
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(requests()).toEqual([]);
    expect(readFileSync(join(home, 'out.tar')).equals(first)).toBe(true);
    expect(await pack(home, '--update', 'web')).toMatchObject({ code: 0 });
    expect(lockOf(home)).toContain('version = "1.1.0"');
    expect(await pack(home, '--update', 'other')).toMatchObject({ code: 2, stderr: expect.stringContaining('other') });
  });

  judged(
    'needs no network with --locked; a clean clone fetches that very file alone',
    ['helm', 'openssl'],
    async () => {
      await publish('locked', 'web', '1.0.0', '1.1.0');
      const { url, requests } = await server();
      const home = define('locked-home', `${url}/locked/web`, 'version = "1.0.x"');
      expect(await pack(home)).toMatchObject({ code: 0 });
      expect(readFileSync(join(home, '.solpack/.gitignore'), 'utf8')).toBe('*\n');
      requests();
      expect(await pack(home, '--locked')).toMatchObject({ code: 0 });
      expect(requests()).toEqual([]);
      rmSync(join(home, '.solpack'), { recursive: true });
      expect(await pack(home, '--locked')).toMatchObject({ code: 0 });
      expect(requests().map(({ path }) => path)).toEqual(['/locked/web-1.0.0.tgz']);
      writeFileSync(join(home, 'solution.toml'), lines(`${url}/locked/web`, 'version = "1.1.x"'));
      expect(await pack(home, '--locked')).toMatchObject({ code: 2, stderr: expect.stringContaining('lock-mismatch') });
    },
  );

  judged(
    'is refused where it changed since it was locked, or differs from the index',
    ['helm', 'openssl'],
    async () => {
      await publish('lying', 'web', '1.0.0');
      const { url } = await server();
      const home = define('lying-home', `${url}/lying/web`, 'version = "1.0.0"');
      expect(await pack(home)).toMatchObject({ code: 0 });
      rmSync(join(home, '.solpack'), { recursive: true });
      const other = await packageChart(join(folder, 'other'), join(folder, 'other'), { name: 'web', version: '1.0.1' });
      cpSync(other, join(site, 'lying/web-1.0.0.tgz'));
      const moved = await pack(home);
      expect(moved).toMatchObject({ code: 2, stderr: expect.stringContaining('solution.lock says') });
      expect(await pack(home, '--update')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('its repository says'),
      });
      const index = readFileSync(join(site, 'lying/index.yaml'), 'utf8').replace(/^\s*digest:.*\n/m, '');
      writeFileSync(join(site, 'lying/index.yaml'), index);
      const another = await pack(home, '--update');
      expect(another).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('was requested, but the answer is web 1.0.1'),
      });
    },
  );

  judged('is told to be missing by chart, version and repository', ['helm', 'openssl'], async () => {
    await publish('few', 'web', '1.0.0');
    const { url } = await server();
    const cases: [string, string, string][] = [
      [`${url}/few/api`, '1.0.0', 'has no chart api'],
      [`${url}/few/web`, '^2', 'there are 1.0.0'],
      [`${url}/none/web`, '1.0.0', 'is not a Helm repository'],
    ];
    for (const [path, version, message] of cases) {
      const home = define('absent', path, `version = "${version}"`);
      const { code, stderr } = await pack(home);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
      expect(stderr).toContain('component-absent');
    }
  });

  judged('gets the login for its host, which no redirect gets', ['helm', 'openssl'], async () => {
    await publish('private', 'web', '1.0.0');
    const running = await server();
    const { url, host } = running;
    const login = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
    running.answer = ({ headers, url: path }, response) => {
      if (path?.startsWith('/private/') && headers.authorization !== login) {
        response.writeHead(401).end();
        return true;
      }
      if (!path?.endsWith('.tgz') || !path.startsWith('/private/')) return false;
      response.writeHead(302, { location: `https://localhost:${host.split(':')[1]}/free/web-1.0.0.tgz` }).end();
      return true;
    };
    cpSync(join(site, 'private/web-1.0.0.tgz'), join(site, 'free/web-1.0.0.tgz'));
    cpSync(join(running.certs, host), join(running.certs, `localhost:${host.split(':')[1]}`), { recursive: true });
    const home = define('private-home', `${url}/private/web`, 'version = "1.0.0"');
    expect(await pack(home)).toMatchObject({ code: 4, stderr: expect.stringContaining('remote-denied') });
    const authfile = join(folder, 'site.json');
    const auth = Buffer.from('ada:secret').toString('base64');
    writeFileSync(authfile, JSON.stringify({ auths: { [host]: { auth } } }));
    running.requests();
    await succeeds(['pack', home, '-o', join(home, 'out.tar'), '--certs-dir', running.certs, '--authfile', authfile]);
    const seen = running.requests();
    running.answer = () => false;
    expect(seen.find(({ path }) => path === '/free/web-1.0.0.tgz')).toMatchObject({ authorization: undefined });
    expect(seen.filter(({ path }) => path.startsWith('/private/')).every((one) => one.authorization === login)).toBe(
      true,
    );
    expect(lockOf(home)).not.toContain('secret');
  });

  judged('goes on where a connection was cut', ['helm', 'openssl'], async () => {
    await publish('cut', 'web', '1.0.0');
    const running = await server();
    const bytes = readFileSync(join(site, 'cut/web-1.0.0.tgz'));
    let cuts = 0;
    running.answer = ({ url, headers }, response) => {
      if (!url?.endsWith('/cut/web-1.0.0.tgz') || headers.range !== undefined) return false;
      cuts += 1;
      response.writeHead(200, { 'content-length': bytes.length });
      // Clock: the bytes have to leave before the connection is cut.
      response.write(bytes.subarray(0, 100), () => setTimeout(() => response.destroy(), 50));
      return true;
    };
    const home = define('cut-home', `${running.url}/cut/web`);
    expect(await pack(home)).toMatchObject({ code: 0 });
    running.answer = () => false;
    expect(cuts).toBe(1);
    expect(running.requests().filter(({ range }) => range === 'bytes=100-')).toHaveLength(1);
  });
});

describe('a chart of a registry', () => {
  judged('is taken in the highest version of the range, with the login for it', ['helm', 'registry'], async () => {
    for (const version of ['1.0.0', '1.3.0', '1.4.0+build.1', '2.0.0']) await push('api', version);
    const { host } = await registry();
    const home = define('oci', `oci://${host}/charts/api`, 'version = "1.x"');
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(lockOf(home)).toContain('version = "1.4.0+build.1"');
    const exact = define('oci-exact', `oci://${host}/charts/api`, 'version = "1.3.0"');
    expect(await pack(exact)).toMatchObject({ code: 0 });
    const env = { HELM_REGISTRY_CONFIG: join(folder, 'helm.json') };
    const pulled = await run(
      'helm',
      ['pull', `oci://${host}/charts/api`, '--version', '1.3.0', '--plain-http', '-d', folder],
      { env },
    );
    expect(`${pulled.stdout}${pulled.stderr}`).toContain(digestIn(exact));
    const [name] = sha256(readFileSync(join(folder, 'api-1.3.0.tgz')))
      .split(':')
      .slice(1);
    expect(await ok('tar', ['-tf', join(exact, 'out.tar')])).toContain(`blobs/sha256/${name}\n`);
    const none = define('oci-none', `oci://${host}/charts/api`, 'version = "^9"');
    expect(await pack(none)).toMatchObject({ code: 2, stderr: expect.stringContaining('component-absent') });
  });
});

describe('dependencies of a chart', () => {
  test('that cannot be fetched are named with their component, and with the folder that they can be put into', async () => {
    const home = define('unfetched', 'chart');
    const repository = 'oci://127.0.0.1:9/charts';
    writeChart(join(home, 'chart'), {
      name: 'app',
      version: '1.0.0',
      dependencies: [{ name: 'cache', version: '3.x', repository }],
    });
    const { code, stderr } = await solpack(['pack', home, '-o', join(home, 'out.tar')]);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /component web: its chart .*unfetched\/chart needs the chart cache 3\.x, which cannot be fetched/,
    );
    expect(stderr).toMatch(/unpack it into .*unfetched\/chart\/charts, .*\[registry-unreachable\]/);
    writeChart(join(home, 'chart/charts/cache'), { name: 'cache', version: '3.1.0' });
    expect(await solpack(['pack', home, '-o', join(home, 'out.tar')])).toMatchObject({ code: 0 });
  });

  judged('are those of its Chart.lock, byte for byte what helm builds', ['helm', 'registry', 'openssl'], async () => {
    await publish('deps', 'common', '1.0.0', '1.1.0');
    await push('cache', '3.0.0');
    const [{ url, authority }, { host }] = await Promise.all([server(), registry()]);
    const dependencies = [
      { name: 'common', version: '>=1.0.0 <2', repository: `${url}/deps/`, alias: 'first', condition: 'first.enabled' },
      { name: 'common', version: '^1.0.0', repository: `${url}/deps`, alias: 'second', tags: ['b', 'a'] },
      {
        name: 'cache',
        version: '3.x',
        repository: `oci://${host}/charts`,
        'import-values': [{ parent: 'a', child: 'b' }],
      },
    ];
    const home = define('with-deps', 'chart');
    const chart = writeChart(join(home, 'chart'), { name: 'app', version: '1.0.0', dependencies });
    const env = { HELM_REGISTRY_CONFIG: join(folder, 'helm.json'), SSL_CERT_FILE: authority };
    await ok('helm', ['dependency', 'update', chart, '--plain-http'], { env });
    expect(readdirSync(join(chart, 'charts')).sort()).toEqual(['cache-3.0.0.tgz', 'common-1.1.0.tgz']);
    const built = join(folder, 'built');
    cpSync(join(chart, 'charts'), built, { recursive: true });
    rmSync(join(chart, 'charts'), { recursive: true });
    await publish('deps', 'common', '1.0.0', '1.1.0', '1.2.0');
    expect(await pack(home)).toMatchObject({ code: 0 });
    const lock = lockOf(home);
    expect(lock).toContain('version = "1.1.0"');
    expect(lock).not.toContain('version = "1.2.0"');
    const out = join(folder, 'extracted');
    mkdirSync(out);
    await ok('tar', ['-xf', join(home, 'out.tar'), '-C', out, 'blobs']);
    const blobs = readdirSync(join(out, 'blobs/sha256'));
    const packed = blobs.find((name) =>
      readFileSync(join(out, 'blobs/sha256', name))
        .subarray(0, 2)
        .equals(Buffer.of(0x1f, 0x8b)),
    )!;
    mkdirSync(join(folder, 'untarred'));
    await ok('tar', ['-xzf', join(out, 'blobs/sha256', packed), '-C', join(folder, 'untarred')]);
    for (const name of readdirSync(built)) {
      expect(readFileSync(join(folder, 'untarred/app/charts', name)).equals(readFileSync(join(built, name)))).toBe(
        true,
      );
    }
    writeFileSync(
      join(chart, 'Chart.yaml'),
      readFileSync(join(chart, 'Chart.yaml'), 'utf8').replace('^1.0.0', '^1.2.0'),
    );
    const stale = await pack(home);
    expect(stale).toMatchObject({ code: 2, stderr: expect.stringContaining('does not match') });
    rmSync(join(chart, 'Chart.lock'));
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(lockOf(home)).toContain('version = "1.2.0"');
    expect(await pack(home, '--locked')).toMatchObject({ code: 0 });
  });
});
