import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InstallPlan } from '../../formats/solution/install-plan.ts';
import { requireSamePlan } from '../../lib/flows/install/confirm.ts';
import { SolpackError } from '../../lib/kernel/events/errors.ts';
import { trustInFingerprints, trustInKeys } from '../../lib/parts/trust/index.ts';
import { solpackHere } from '../support/here.ts';
import { run, scratch } from '../support/judges.ts';
import { eventually } from '../support/until.ts';
import { codeOf } from './stage.ts';
import { rowOf } from './table.ts';

// What leads elsewhere, what was taken out, and what goes on: each is as bounded as what it stands for.

const folder = scratch('attacks-kept-bounds');

/** An attack whose row has the code of the error that `tries` ends with. */
function attack(name: string, tries: () => unknown): void {
  const { codes, exit } = rowOf(name);
  test(`${name}: ${codes[0]}, exit status ${exit}`, async () => {
    const error = await Promise.resolve()
      .then(tries)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(SolpackError);
    expect(error).toMatchObject({ code: codes[0], exit });
  });
}

const step = (subject: string): InstallPlan['steps'][number] => {
  return { kind: 'apply', subject, action: 'create', changes: [], step: `sha256:${'0'.repeat(64)}` };
};
const plan: InstallPlan = {
  configuration: 'default',
  choices: [{ name: 'shop', version: '1.0.0', reason: 'wanted', passedOver: [] }],
  steps: [step('ConfigMap/shop/a'), step('ClusterRoleBinding/evil')],
  ...{ bytes: 10, unchanged: 0, room: [], rights: { subjects: [], needed: [] }, seal: 'salt:digest' },
};

attack('a plan of which a step was removed, with its seal', () =>
  requireSamePlan('plan.json', { ...plan, steps: plan.steps.slice(0, 1) }, plan),
);
attack('trust in an empty list of keys', () => trustInKeys([]));
attack('trust in an empty list of fingerprints', () => trustInFingerprints([]));

/** A server outside of this machine, as far as solpack can tell: it is reached by a proxy, and redirects to `to`. */
async function redirectedTo(
  to: (port: number) => string,
): Promise<{ readonly asked: number; readonly code: string; readonly exit: number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.headers.host === 'files.example.com') response.writeHead(302, { location: to(port) });
    else asked += 1;
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const env = { http_proxy: `http://127.0.0.1:${port}`, no_proxy: 'localhost,127.0.0.1' };
  const outcome = await solpackHere(['inspect', 'http://files.example.com/x.iso', '--quiet'], { cwd: folder, env });
  server.close();
  expect(outcome.stderr).toContain('which only the machine itself should reach');
  return { asked, code: codeOf(outcome), exit: outcome.code };
}

for (const [name, to] of [
  ['a server that redirects to this machine by its address', (port: number) => `http://127.0.0.1:${port}/`],
  ['a server that redirects to this machine by its name', (port: number) => `http://localhost.:${port}/`],
] as const) {
  const { codes, exit } = rowOf(name);
  test(`${name}: ${codes[0]}, exit status ${exit}`, async () => {
    expect(await redirectedTo(to)).toEqual({ asked: 0, code: codes[0], exit });
  });
}

test('helm and kubectl go on no longer than solpack, also where that is killed', async () => {
  // Each is started by one function, as a program that waits for ever takes the place of helm here.
  const marker = `${process.pid}${Date.now()}`;
  const tools = join(import.meta.dirname, '../../lib/parts/components/tools.ts');
  const flow = join(import.meta.dirname, '../support/flow.ts');
  const script = `
    import { printedBy } from ${JSON.stringify(tools)};
    import { testFlow } from ${JSON.stringify(flow)};
    console.log('runs');
    await printedBy({ program: '/bin/sh', args: ['-c', 'sleep 1000${marker} & sleep 1000${marker}'], subject: 'web', hint: '' }, testFlow());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const left = async (): Promise<string> => (await run('pgrep', ['-f', `sleep 1000${marker}`])).stdout;
  await eventually(async () => (await left()).trim().split('\n').length).toBeGreaterThan(1);
  child.kill('SIGKILL');
  await eventually(left).toBe('');
});
