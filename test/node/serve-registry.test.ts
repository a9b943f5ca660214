import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { find, scratch } from '../support/judges.ts';
import { packEdge, registry, webImage } from '../support/node/edge.ts';
import { blobPulls } from '../support/node/pulls.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('node-serve-registry');
const cwd = folder;
const node = sharedNode();
const host = '127.0.0.1:5001';
const [solution, listen] = [`${host}/solutions/edge:1.0.0`, '127.0.0.1:5000'];

beforeAll(() => packEdge(folder, ['1.0.0']));

/** Whether a registry answers inside the node. */
async function answers(): Promise<string> {
  const asking = `fetch('http://${host}/v2/').then(({ status }) => console.log(status), () => {})`;
  return (await node().ok(process.execPath, ['-e', asking])).trim();
}

describe('a serve that reads a registry', () => {
  nodeTest('has what a node pulls, and no archive lies there', async (context) => {
    const program = find('docker-registry');
    if (program === undefined) return context.skip('needs docker-registry');
    const config = join(folder, 'registry.yml');
    const storage = { filesystem: { rootdirectory: join(folder, 'data') } };
    writeFileSync(config, stringify({ version: 0.1, log: { level: 'error' }, storage, http: { addr: host } }));
    const behind = node().begins(['serve', config], { program });
    await eventually(answers).toBe('200');
    await node().succeeds(['push', 'edge-1.0.0.iso', solution], { cwd });
    await using serving = await node().serves(['serve', solution, '--listen', listen], { cwd });
    const mirrors = ['--hosts-dir', node().hostsDir];
    await node().succeeds(['join-mirror', '--served-at', serving.first, ...mirrors]);
    const configuration = join(folder, 'in-registry.yaml');
    const head = { apiVersion: 'solutions.metalk8s.scality.com/v1alpha1', kind: 'SolutionsConfiguration' };
    const solutions = [{ name: 'edge', archives: [solution] }];
    writeFileSync(configuration, stringify({ ...head, metadata: { name: 'edge' }, solutions }));
    const places = ['--kubeconfig', node().kubeconfig, '--served-at', serving.first, ...mirrors];
    await node().succeeds(['install', '-f', configuration, '--insecure-skip-verify', ...places], { cwd });
    const images = ['get', 'pods', '-n', 'edge', '-o', 'jsonpath={.items[*].spec.containers[*].image}'];
    expect(await node().kubectl(...images)).toContain(webImage('1.0.0'));
    const pulls = blobPulls(node());
    expect(pulls.length).toBeGreaterThan(1);
    expect(new Set(pulls.map(({ server }) => server))).toEqual(new Set([listen]));
    expect((await node().succeeds(['status', ...mirrors])).split('\n')[1]).toMatch(
      /^ {2}other\.example\.com:5000 +ready/,
    );
    expect(await node().succeeds(['status', ...mirrors])).toContain(registry);
    behind.send('SIGTERM');
    await behind.ended;
  });
});
