import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { type Running, smallSolution, solpack, starts, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { solpackHere } from '../support/here.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('install-served');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
let serving: Running;

beforeAll(async () => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    await smallSolution(at(version), { version });
    // No Pod runs where there is no node.
    const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {version: "${version}"}\n`;
    writeFiles(at(version), { 'web/pod.yaml': map });
    await succeeds(['pack', version, '-o', `hello-${version}.iso`], { cwd: folder });
  }
  writeFiles(folder, {
    'solutions.yaml':
      'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nsolutions: []\n',
  });
  serving = await starts(['serve', '-f', 'solutions.yaml', '--listen', '127.0.0.1:0'], { cwd: folder });
  return () => serving.stop();
});

const install = (version: string): readonly string[] => [
  ...['install', `hello-${version}.iso`, '-f', 'solutions.yaml', '--insecure-skip-verify', '--trust-state', 'state'],
  ...['--kubeconfig', plane().kubeconfig, '--served-at', serving.first, '--hosts-dir', 'certs.d'],
];

controlPlaneTest(
  'a serve that follows the configuration has what an install imports before it is relied on',
  async () => {
    const first = await solpack([...install('1.0.0'), '--yes'], { cwd: folder });
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('installed hello 1.0.0')]);
    // An upgrade is foreseen, to find out what goes, before the serve can know of it; and so is what a person is asked about.
    const next = await solpack([...install('1.1.0'), '--yes'], { cwd: folder });
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining('installed hello 1.1.0')]);
    const planned = await solpack([...install('1.2.0'), '--plan'], { cwd: folder });
    expect([planned.code, planned.stderr]).toEqual([0, expect.any(String)]);
    const asked = await solpackHere([...install('1.2.0')], { cwd: folder, ask: async () => 'yes' });
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining('installed hello 1.2.0')]);
  },
);
