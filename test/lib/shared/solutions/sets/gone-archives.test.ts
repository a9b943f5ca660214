import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { resolveSet } from '../../../../../lib/flows/resolve/index.ts';
import { writeFiles } from '../../../../support/cli.ts';
import { packHere, testFlow } from '../../../../support/flow.ts';
import { head, InstallSite } from '../../../../support/install-site.ts';
import { scratch } from '../../../../support/judges.ts';

const folder = scratch('gone-archives');
beforeAll(async () => {
  for (const one of ['full', 'less', 'empty']) mkdirSync(join(folder, one));
  for (const version of ['1.0.0', '1.1.0']) {
    const source = join(folder, version);
    writeFiles(source, {
      'solution.toml': `name = "shop"
version = "${version}"
[[components]]
name = "web"
kind = "manifests"
path = "map.yaml"
`,
      'map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: default}\ndata: {version: "${version}"}\n`,
    });
    await packHere(join(source, 'solution.toml'), join(folder, `full/shop-${version}.iso`));
  }
});

const grouped = (archives: string, more = ''): string => `solutions: [{name: shop, archives: [${archives}]${more}}]\n`;
const refused = (subject: unknown, message: string, hint: RegExp): unknown =>
  expect.objectContaining({ code: 'archive-gone', subject, message, hint: expect.stringMatching(hint) });
const deactivate = /^is the medium mounted\? To remove it: solpack deactivate shop$/;

describe('an entry that matches no archive, where something of it is installed', () => {
  test('ends the install and its plan, and nothing is removed, whatever kind of entry it is', async () => {
    const site = new InstallSite(folder);
    expect(await site.installs(grouped('full'))).toBeUndefined();
    for (const entry of ['empty', 'empty/*.iso', 'not-there/*.iso']) {
      for (const work of ['run', 'plan'] as const) {
        expect(await site.installs(grouped(`"${entry}"`), work)).toEqual(
          refused(entry, 'holds no archive, but shop 1.1.0 is installed', deactivate),
        );
      }
    }
    const none = await site.installs(grouped(''));
    expect(none).toMatchObject({ code: 'archive-gone', subject: 'solutions: shop' });
    expect(site.versions()).toEqual({ default: '1.1.0' });
  });

  test('ends it where the place itself is gone: a folder, a file, an address', async () => {
    const server = createServer((_, response) => response.writeHead(404).end());
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    const { port } = server.address() as AddressInfo;
    const site = new InstallSite(folder);
    expect(await site.installs(grouped('full'))).toBeUndefined();
    try {
      for (const entry of ['not-there', 'not-there/shop.iso', `http://127.0.0.1:${port}/shop.iso`]) {
        for (const work of ['run', 'plan'] as const) {
          for (const more of ['', ', activeVersion: "1.1.0"']) {
            expect(await site.installs(grouped(`"${entry}"`, more), work)).toEqual(
              refused(
                expect.stringContaining(entry),
                'is not there, but shop 1.1.0 is installed',
                /is the medium mounted\? To remove it: solpack deactivate shop$/,
              ),
            );
          }
          const unknown = await new InstallSite(folder).installs(grouped(`"${entry}"`), work);
          expect(unknown).toMatchObject({ code: 'file-missing' });
        }
      }
    } finally {
      server.close();
    }
    expect(site.versions()).toEqual({ default: '1.1.0' });
  });

  test('ends the question for the set of a cluster, and for none where no cluster is asked', async () => {
    const site = new InstallSite(folder);
    expect(await site.installs(grouped('full'))).toBeUndefined();
    const configuration = join(folder, 'asked.yaml');
    writeFileSync(configuration, `${head}${grouped('"empty/*.iso"')}`);
    await expect(resolveSet({ configuration, cluster: site.target() }, testFlow())).rejects.toEqual(
      refused('empty/*.iso', 'holds no archive, but shop 1.1.0 is installed', deactivate),
    );
    const alone = await resolveSet({ configuration }, testFlow());
    expect(alone.solutions).toEqual([]);
  });

  test('ends it too in the flat form, and where a version or an environment is wanted by name', async () => {
    const site = new InstallSite(folder);
    await site.installs('archives: [full]\nactive: {shop: "1.1.0"}\n');
    const message = 'holds no archive, but shop 1.1.0 is installed';
    expect(await site.installs('archives: [empty]\nactive: {shop: "1.1.0"}\n')).toEqual(
      refused('empty', message, deactivate),
    );
    const apart = new InstallSite(folder);
    await apart.installs(grouped('full', ', environments: {team-a: "1.0.0"}'));
    expect(await apart.installs(grouped('empty', ', environments: {team-a: "1.0.0"}'))).toEqual(
      refused('empty', 'holds no archive, but shop.team-a 1.0.0 is installed', /shop --environment team-a$/),
    );
    expect([site.versions(), apart.versions()]).toEqual([{ default: '1.1.0' }, { 'team-a': '1.0.0' }]);
  });

  test('ends it where no cluster is asked, since nobody knows then', async () => {
    const error = await new InstallSite(folder).installs(grouped('empty'), 'without a cluster');
    expect(error).toMatchObject({ code: 'archive-gone', subject: 'empty' });
  });

  test('is no reason to refuse where nothing of it is installed', async () => {
    expect(await new InstallSite(folder).installs(grouped('empty'))).toBeUndefined();
  });
});

describe('a document that says by name what goes', () => {
  test('removes a Solution that is deactivated, also while its medium is empty', async () => {
    for (const document of [
      grouped('empty', ', activeVersion: none'),
      'archives: [empty]\nactive: {}\n',
      'solutions: []\n',
    ]) {
      const site = new InstallSite(folder);
      await site.installs(grouped('full'));
      expect([await site.installs(document), site.versions()]).toEqual([undefined, {}]);
    }
  });

  test('removes an environment that it no longer lists', async () => {
    const site = new InstallSite(folder);
    await site.installs(grouped('full', ', environments: {team-a: "1.0.0", team-b: "1.1.0"}'));
    expect(await site.installs(grouped('full', ', environments: {team-b: "1.1.0"}'))).toBeUndefined();
    expect(site.versions()).toEqual({ 'team-b': '1.1.0' });
  });

  test.each(['', 'archives:\nactive:\n', 'archives: [full]\n', 'archives: [empty]\nactive:\n', 'environments:\n'])(
    'is told from one that somebody has emptied or cut: %j',
    async (document) => {
      const site = new InstallSite(folder);
      await site.installs(grouped('full'));
      const file = join(folder, 'solutions.yaml');
      expect(await site.installs(document)).toEqual(
        refused(file, 'does not say what is active, but shop 1.1.0 is installed', /solpack uninstall default$/),
      );
      expect(site.versions()).toEqual({ default: '1.1.0' });
    },
  );
});

test('an archive that has left its folder makes nothing go down until a version is named', async () => {
  const site = new InstallSite(folder);
  await site.installs(grouped('full'));
  const there = join(folder, 'less/shop-1.0.0.iso');
  renameSync(join(folder, 'full/shop-1.0.0.iso'), there);
  try {
    const message = 'no longer holds shop 1.1.0, which is installed: the highest there is 1.0.0';
    for (const more of ['', ', activeVersion: ^1']) {
      expect(await site.installs(grouped('less', more))).toEqual(
        refused('less', message, /solpack activate shop 1\.0\.0$/),
      );
    }
    expect(site.versions()).toEqual({ default: '1.1.0' });
    // A range below says as much as a version, and so does an entry that names one archive.
    expect(await site.installs(grouped('less', ', activeVersion: "~1.0"'))).toBeUndefined();
    expect(site.versions()).toEqual({ default: '1.0.0' });
  } finally {
    renameSync(there, join(folder, 'full/shop-1.0.0.iso'));
  }
});
