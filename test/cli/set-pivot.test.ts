import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect } from 'vitest';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';
import { solpackWords } from '../support/under-test.ts';
import { eventually } from '../support/until.ts';

// Solutions of one configuration: of the versions before nothing goes until all of the new ones are ready.

const folder = scratch('set-pivot');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);
const hosts = at('hosts');

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.pivot.example.com}
spec:
  group: pivot.example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
`;
const widget = (name: string, version: string): string => `apiVersion: pivot.example.com/v1
kind: Widget
metadata: {name: ${name}, namespace: default}
spec: {version: "${version}"}
`;
const only = (name: string, version: string): string => `---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}-${version}, namespace: default}
`;

/** Two Solutions, the first of which brings the kind of both. Each version has something of its own. */
const manifests = (name: string, version: string): string =>
  (name === 'base' ? widgets : '') + widget(name, version) + only(name, version);

const image = (name: string, version: string): string => `registry-${version}.example.com/${name}:1`;

beforeAll(async () => {
  for (const version of ['1.0.0', '2.0.0']) {
    for (const name of ['base', 'upper']) {
      const layout = at(`image-${name}-${version}`);
      const reference = image(name, version);
      await writeLayout(layout, [
        { name: reference, image: buildImage({ platforms: ['linux/amd64'], seed: `${name} ${version}` }) },
      ]);
      writeFiles(folder, {
        [`${name}-${version}.yaml`]: manifests(name, version),
        [`${name}-${version}.toml`]: `name = "${name}"
version = "${version}"
${name === 'base' ? 'provides' : 'requires'} = { "pivot.example.com/v1/Widget" = "${name === 'base' ? '1.0.0' : '*'}" }

[[components]]
name = "all"
kind = "manifests"
path = "${name}-${version}.yaml"

[[images]]
reference = "${reference}"
source = "oci:${layout}:${reference}"
`,
      });
      await succeeds(['pack', at(`${name}-${version}.toml`), '-o', at(`${name}-${version}.iso`), '--quiet']);
    }
    writeFiles(folder, {
      [`${version}.yaml`]: `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: pivot}
solutions:
  - {name: base, archives: [base-${version}.iso]}
  - {name: upper, archives: [upper-${version}.iso]}
`,
    });
  }
});

async function words(version: string): Promise<string[]> {
  const { url } = await registry();
  const where = ['--kubeconfig', plane().kubeconfig, '--registry', url, '--hosts-dir', hosts];
  return ['install', '-f', at(`${version}.yaml`), '--insecure-skip-verify', ...where, '--quiet'];
}

async function installs(version: string, ...more: string[]): Promise<Outcome> {
  return solpack([...(await words(version)), ...more]);
}

const read = (...words: readonly string[]): Promise<string> => plane().kubectl('get', ...words, '--ignore-not-found');
const versionOf = (name: string): Promise<string> =>
  read('widgets.pivot.example.com', name, '-o', 'jsonpath={.spec.version}');
const says = async (name: string, status: 'True' | 'False'): Promise<void> => {
  const patch = JSON.stringify({ status: { conditions: [{ type: 'Ready', status }] } });
  await plane().kubectl('patch', 'widget.pivot.example.com', name, '--type=merge', '-p', patch);
};
const own = async (version: string): Promise<boolean[]> =>
  Promise.all(['base', 'upper'].map(async (name) => (await read('configmap', `${name}-${version}`)) !== ''));
const isMirrored = (version: string): boolean =>
  existsSync(join(hosts, `registry-${version}.example.com`, 'hosts.toml'));

describe('a set', () => {
  controlPlaneTest(
    'is complete until all of the new one is ready at the same time; then what was before goes',
    async () => {
      expect((await installs('1.0.0')).code).toBe(0);
      await says('upper', 'False');
      const installing = installs('2.0.0');
      await eventually(() => versionOf('upper')).toBe('2.0.0');
      expect([await own('1.0.0'), await own('2.0.0')]).toEqual([
        [true, true],
        [true, true],
      ]);
      expect([isMirrored('1.0.0'), isMirrored('2.0.0')]).toEqual([true, true]);
      // What was ready is brought down while the other one comes up.
      await says('base', 'False');
      await says('upper', 'True');
      // Clock: nothing is to happen, and nobody can wait for that.
      await sleep(3_000);
      expect([await own('1.0.0'), isMirrored('1.0.0')]).toEqual([[true, true], true]);
      await says('base', 'True');
      expect((await installing).code).toBe(0);
      expect([await own('1.0.0'), await own('2.0.0')]).toEqual([
        [false, false],
        [true, true],
      ]);
      expect([isMirrored('1.0.0'), isMirrored('2.0.0')]).toEqual([false, true]);
    },
  );

  controlPlaneTest('goes back as a whole, with --rollback-on-failure, to what is all there still', async () => {
    await says('upper', 'False');
    const installing = installs('1.0.0', '--timeout', '8s', '--rollback-on-failure');
    await eventually(() => versionOf('upper')).toBe('1.0.0');
    await eventually(() => versionOf('upper')).toBe('2.0.0');
    await says('upper', 'True');
    const failed = await installing;
    expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining('base 2.0.0, upper 2.0.0')]);
    expect([await versionOf('base'), await versionOf('upper')]).toEqual(['2.0.0', '2.0.0']);
    expect([await own('1.0.0'), await own('2.0.0'), isMirrored('2.0.0')]).toEqual([[false, false], [true, true], true]);
  });

  controlPlaneTest('that is killed in the midst is all there, and goes on by the same command', async () => {
    const [program, ...first] = solpackWords;
    await says('upper', 'False');
    const child = spawn(program!, [...first, ...(await words('1.0.0'))], { stdio: 'ignore' });
    await eventually(() => versionOf('upper')).toBe('1.0.0');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([await own('2.0.0'), isMirrored('2.0.0')]).toEqual([[true, true], true]);
    await says('upper', 'True');
    expect((await installs('1.0.0')).code).toBe(0);
    expect([await own('1.0.0'), await own('2.0.0'), isMirrored('2.0.0')]).toEqual([
      [true, true],
      [false, false],
      false,
    ]);
  });
});
