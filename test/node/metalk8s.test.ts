import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { busyboxImage } from '../../scripts/node/busybox.ts';
import { type Running, succeeds } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import { type Era, makeMedium } from '../support/metalk8s.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

const folder = scratch('node-metalk8s');
const cwd = folder;
const node = sharedNode();
const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const media: readonly [string, Era][] = [
  ['1.0.0', 'product'],
  ['1.1.0', 'manifest'],
];
let serving: Running | undefined;

/** An operator that tells what it was reported, and one image that it could run. */
const script =
  '#!/bin/sh\necho "in $WATCH_NAMESPACE as $OPERATOR_NAME with $*"\ncat /etc/config/operator.yaml\nexec sleep 1000000\n';

beforeAll(async () => {
  await succeeds(['keygen', '-o', 'site'], { cwd });
  for (const [version, era] of media) {
    const build = (reference: string) =>
      busyboxImage({
        reference,
        command: ['/bin/sleep', '1000000'],
        programs: { 'bin/clock-operator': Buffer.from(script) },
        seed: reference,
      });
    const path = `clock-${version}.iso`;
    await makeMedium(join(folder, version), join(folder, path), { version, era, build, images: [`server:${version}`] });
    await succeeds(['sign', path, '--private-key', 'site.key', '--verify'], { cwd });
    const archives = media.map(([one]) => `clock-${one}.iso`).join(', ');
    writeFileSync(join(folder, `${version}.yaml`), `${head}archives: [${archives}]\nactive: {clock: ${version}}\n`);
  }
  return async () => {
    await serving?.stop();
  };
});

async function install(version: string): Promise<void> {
  serving ??= await node().serves(['serve', '-f', '1.0.0.yaml', '--key', 'site.pub', '--listen', '127.0.0.1:5000'], {
    cwd,
  });
  const { kubeconfig, hostsDir } = node();
  const places = ['--kubeconfig', kubeconfig, '--hosts-dir', hostsDir, '--served-at', serving.first];
  const trust = ['--key', 'site.pub', '--trust-state', 'state'];
  await node().succeeds(['install', '-f', `${version}.yaml`, ...trust, ...places], { cwd });
}

/** What the running operator of a version has said. */
async function said(version: string): Promise<string> {
  const pods = await node().get<{ items: { metadata: { name: string } }[] }>(
    'pods',
    '-n',
    'clock',
    '-l',
    `app.kubernetes.io/version=${version}`,
  );
  return node().kubectl('logs', '-n', 'clock', pods.items[0]!.metadata.name);
}

describe('a medium for MetalK8s', () => {
  for (const [version, era] of media) {
    nodeTest(`of the ${era} era brings up its operator, with its rights and what it is reported`, async () => {
      await install(version);
      const words = await said(version);
      expect(words).toContain('in clock as clock-operator with --config=/etc/config/operator.yaml');
      expect(words).toContain(`endpoint: metalk8s-registry-from-config.invalid/clock-${version}`);
      expect(words).toContain(`- server:${version}`);
      const may = (...question: string[]): Promise<string> => {
        const who = '--as=system:serviceaccount:clock:clock-operator';
        return node()
          .kubectl('auth', 'can-i', ...question, who, '-n', 'clock', '-q')
          .then(
            () => 'yes',
            () => 'no',
          );
      };
      // A ClusterRole counts within the namespace alone, as MetalK8s binds it.
      expect(await Promise.all([may('create', 'clocks.example.com'), may('get', 'secrets')])).toEqual(['yes', 'no']);
      await node().kubectl('get', 'crd', 'clocks.example.com');
    });

    nodeTest(`of the ${era} era gives nodes the images that its operator names by itself`, async () => {
      await install(version);
      const image = `metalk8s-registry-from-config.invalid/clock-${version}/server:${version}`;
      await node().kubectl('run', '-n', 'clock', `server-${era}`, `--image=${image}`, '--restart=Never');
      await node().kubectl('wait', '-n', 'clock', `pod/server-${era}`, '--for=condition=Ready', '--timeout=60s');
    });
  }
});
