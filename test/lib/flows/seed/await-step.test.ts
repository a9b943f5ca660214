import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { awaitStep } from '../../../../lib/flows/seed/await-step.ts';
import { startRegistry } from '../../../../lib/parts/registry-server/index.ts';
import { freePort } from '../../../../scripts/bench/servers.ts';
import { testFlow } from '../../../support/flow.ts';

/** Waits for a registry at a port, for so many milliseconds. */
function waited(port: number, patience: number): Promise<void> {
  const url = `http://127.0.0.1:${port}`;
  const { kind, run } = awaitStep({ solution: 'infra', url, options: {}, patience, containerd: undefined });
  const step = { kind, subject: url, name: 'sha256:' as never, inputs: { registry: url }, after: [] };
  return run(step, { flow: testFlow() } as never);
}

describe('a registry in the cluster', () => {
  test('is waited for until it answers', async () => {
    const port = await freePort();
    const waiting = waited(port, 120_000);
    // Clock: nobody answers for a while.
    await sleep(300);
    const registry = await startRegistry([], { host: '127.0.0.1', port });
    await waiting;
    await registry.close();
  });

  test('is waited for as long as was said, and no longer', async () => {
    await expect(waited(await freePort(), 0)).rejects.toMatchObject({
      code: 'registry-unreachable',
      hint: expect.stringContaining('install infra first'),
    });
  });

  test('is not waited for once whoever asks has enough', async () => {
    const silent = createServer();
    await new Promise<void>((settle) => silent.listen(0, '127.0.0.1', settle));
    const { port } = silent.address() as { port: number };
    const control = new AbortController();
    const url = `http://127.0.0.1:${port}`;
    const { run } = awaitStep({ solution: 'infra', url, options: {}, patience: 30_000, containerd: undefined });
    const waiting = run({} as never, { flow: { ...testFlow(), signal: control.signal } } as never);
    control.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    silent.close();
  });
});
