import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { stated } from '../lib/clusters/kubernetes/support.ts';
import { scratch } from '../support/judges.ts';
import { space } from '../support/node/requests.ts';
import { pageOf, web } from '../support/node/shops.ts';
import { type Recipe, workshop } from '../support/node/solutions.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

// Versions of a Solution side by side on a real node, each with Pods of its own.

const folder = scratch('environments-node');
const node = sharedNode();
const shop = workshop(folder, node);

const service = stated('v1', 'Service', 'shop/web', {
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
});
const recipe = (version: string): Recipe => {
  return { name: 'shop', version, parts: [{ name: 'all', objects: [space('shop'), service, web('shop', version)] }] };
};

/** Installs versions of the Solution, by the namespaces that they run in. */
async function installs(environments: Readonly<Record<string, string>>): Promise<void> {
  const args = await shop.args([recipe('1.0.0'), recipe('2.0.0')]);
  const path = args[args.indexOf('-f') + 1]!;
  const written = parse(readFileSync(path, 'utf8')) as { readonly solutions: readonly { archives: string[] }[] };
  const archives = written.solutions.flatMap((one) => one.archives);
  const combined = join(folder, 'environments.yaml');
  writeFileSync(combined, stringify({ ...written, solutions: [{ name: 'shop', archives, environments }] }));
  const { code, stderr } = await node().solpack(args.with(args.indexOf('-f') + 1, combined));
  expect([code, stderr]).toEqual([0, expect.anything()]);
}

const page = (namespace: string): Promise<string> => pageOf(namespace, node());
const pods = (namespace: string): Promise<string> =>
  node().kubectl('get', 'pods', '-n', namespace, '-o', 'jsonpath={.items[*].metadata.uid}');

describe('environments', () => {
  nodeTest('serve each its version; one is upgraded and removed while Pods of the other run on', async () => {
    await installs({ 'team-a': '1.0.0', 'team-b': '2.0.0' });
    expect([await page('team-a'), await page('team-b')]).toEqual(['1.0.0', '2.0.0']);
    const running = await pods('team-b');
    await installs({ 'team-a': '2.0.0', 'team-b': '2.0.0' });
    await expect.poll(() => page('team-a'), { timeout: 30_000 }).toBe('2.0.0');
    await installs({ 'team-b': '2.0.0' });
    expect(await node().kubectl('get', 'namespace', 'team-a', '--ignore-not-found')).toBe('');
    expect([await page('team-b'), await pods('team-b')]).toEqual(['2.0.0', running]);
  });
});
