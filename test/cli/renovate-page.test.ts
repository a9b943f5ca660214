import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judged } from '../support/judges.ts';
import { upstreams } from '../support/upstreams.ts';

const { server, registry, publish, pushChart, pushImage, locked, run, textOf } = upstreams('renovate');

/** A manager of Renovate, as far as its documentation says what it does with a text. */
interface RegexManager {
  readonly managerFilePatterns: readonly string[];
  readonly matchStrings: readonly string[];
  readonly datasourceTemplate: string;
}

/** The configuration of Renovate on the page about pipelines. */
const renovate = (() => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/pipelines.md'), 'utf8');
  const block = /^```json\n(\{\n {2}"\$schema": "https:\/\/docs\.renovatebot[\s\S]*?)^```$/m.exec(page)![1]!;
  return JSON.parse(block) as {
    readonly customManagers: readonly RegexManager[];
    readonly postUpgradeTasks: { readonly commands: readonly string[] };
  };
})();

/** Finds what Renovate finds in a definition, and replaces each version in its place, as Renovate does. */
function renovated(
  text: string,
  newer: (name: string, datasource: string) => string,
): { text: string; found: string[] } {
  const found: string[] = [];
  let after = text;
  for (const { matchStrings, datasourceTemplate } of renovate.customManagers) {
    for (const one of matchStrings) {
      for (const match of text.matchAll(new RegExp(one, 'g'))) {
        const { depName, currentValue, registryUrl = '' } = match.groups!;
        found.push([datasourceTemplate, registryUrl, depName, currentValue].filter((word) => word !== '').join(' '));
        after = after.replace(match[0], match[0].replace(currentValue!, newer(depName!, datasourceTemplate)));
      }
    }
  }
  return { text: after, found };
}

describe('the configuration of Renovate on the page about pipelines', () => {
  judged(
    'finds what has one version, and its command lets images and the lock follow',
    ['helm', 'skopeo', 'docker-registry', 'openssl'],
    async () => {
      const { url } = await server();
      const { host } = await registry();
      for (const version of ['1.0.0', '1.1.0']) {
        for (const name of ['web', 'api', 'proxy']) await pushImage(`bot/${name}:${version}`, `${name}-${version}`);
        await publish('bot', version, `${host}/bot/web:${version}`);
        await pushChart('botapi', version, `${host}/bot/api:${version}`);
      }
      const home = await locked('bot-home', [
        '[[images]]',
        `reference = "${host}/bot/proxy:1.0.0" # for the node`,
        'keep = true',
        '[[images]]',
        `reference = "${host}/bot/web:1.0.0"`,
        '[[images]]',
        `reference = "${host}/bot/api:1.0.0"`,
        '[[components]]',
        'name = "web"',
        'kind = "helm"',
        `path = "${url}/bot/web"`,
        'version = "1.0.0"',
        '[[components]]',
        'name = "api"',
        'kind = "helm"',
        `path = "oci://${host}/charts/botapi"`,
        'version = "1.0.0"',
        '[[components]]',
        'name = "ranged"',
        'kind = "helm"',
        `path = "oci://${host}/charts/botapi"`,
        'version = "~1.0"',
        'namespace = "ranged"',
        'create-namespace = true',
      ]);
      const { text, found } = renovated(textOf(home), () => '1.1.0');
      expect(found).toEqual([
        `helm ${url}/bot web 1.0.0`,
        `docker ${host}/charts/botapi 1.0.0`,
        `docker ${host}/bot/proxy 1.0.0`,
      ]);
      writeFileSync(join(home, 'solution.toml'), text);
      expect(renovate.postUpgradeTasks.commands).toEqual(['solpack update --follow']);
      const [, ...words] = renovate.postUpgradeTasks.commands[0]!.split(' ');
      expect(await run([...words, home])).toMatchObject({ code: 0 });
      expect(textOf(home)).toContain('bot/web:1.1.0');
      expect(await run(['pack', home, '-o', join(home, 'new.tar'), '--locked'])).toMatchObject({ code: 0 });
    },
  );

  test('finds tags of bundles and artifacts, and neither digests nor ranges', () => {
    const path = (value: string): string => `[[components]]\npath = "${value}"\n`;
    const text = [
      path('docker://registry.example.com:5000/cache/bundle:v1.4.0'),
      path('oci://registry.example.com/files/site:1.0.0//pages'),
      path(`docker://registry.example.com/cache/bundle:v1@sha256:${'0'.repeat(64)}`),
      `${path('https://charts.example.com/web')}version = "^1.0"\n`,
      path('https://charts.example.com/web-1.0.0.tgz'),
      '[[images]]\nreference = "registry.example.com/web:1.0.0"\nplatforms = ["linux/amd64"]\n',
    ].join('\n');
    expect(renovated(text, () => '').found).toEqual([
      'docker registry.example.com:5000/cache/bundle v1.4.0',
      'docker registry.example.com/files/site 1.0.0',
    ]);
  });
});
