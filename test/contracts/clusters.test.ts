import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ClusterTarget, directoryTarget, kubernetesTarget } from '../../lib/parts/clusters/index.ts';
import { kubeconfig, listen } from '../support/apiserver.ts';
import { testFlow } from '../support/flow.ts';
import { scratch } from '../support/judges.ts';
import { asked, keepsItsPromises } from './clusters.ts';

const folder = scratch('contract-clusters');

const kubernetes = (path: string): ClusterTarget => kubernetesTarget({ kubeconfig: path, forceConflicts: false });

/** A file where a folder has to be. */
function file(): string {
  const path = join(folder, 'file');
  writeFileSync(path, '');
  return path;
}

/** A port of this machine that nobody listens on any longer. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((settle) => server.close(settle));
  return port;
}

// What a real API server is asked is in test/node.
test('a folder keeps the promises of a target', async () => {
  const target = directoryTarget(join(folder, 'rendered'));
  await keepsItsPromises((request) => target.apply(request, testFlow()));
});

describe('a target that cannot be used says so in one line, and what to do', () => {
  const unusable: readonly (readonly [string, string, () => ClusterTarget | Promise<ClusterTarget>])[] = [
    ['a folder that is a file', 'output-unwritable', () => directoryTarget(file())],
    ['a folder below a file', 'output-unwritable', () => directoryTarget(join(file(), 'rendered'))],
    ['a kubeconfig that is absent', 'file-missing', () => kubernetes(join(folder, 'absent'))],
    ['a kubeconfig that is none', 'kubeconfig-invalid', () => kubernetes(file())],
    [
      'an API server that does not answer',
      'cluster-unreachable',
      async () => kubernetes(kubeconfig(folder, { server: `http://127.0.0.1:${await closedPort()}` })),
    ],
  ];

  test.each(unusable)('%s', async (_, code, open) => {
    const target = await open();
    const refusal = { code, message: expect.stringMatching(/^[^\n]+$/), hint: expect.stringMatching(/^[^\n]+$/) };
    await expect(target.apply(asked, testFlow())).rejects.toMatchObject(refusal);
    // A cluster is asked what it is like before anything is rendered for it; a folder is not there to be asked.
    const facts = target.facts(testFlow());
    if (code.startsWith('output')) expect(await facts).toBeUndefined();
    else await expect(facts).rejects.toMatchObject(refusal);
  });
});

test('an API server is not waited for when the flow was stopped', async () => {
  const server = createServer(() => undefined);
  const target = kubernetes(kubeconfig(folder, { server: `http://127.0.0.1:${await listen(server)}` }));
  const stop = new AbortController();
  server.once('request', () => stop.abort(new Error('stop')));
  await expect(target.apply(asked, { ...testFlow(), signal: stop.signal })).rejects.toThrow('stop');
});
