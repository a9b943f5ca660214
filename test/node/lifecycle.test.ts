import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { assets, programFolder } from '../../scripts/node/programs.ts';
import { builtFolder, components } from '../../scripts/node/release.ts';
import { pauseImage } from '../../scripts/node/state.ts';
import { run, scratch } from '../support/judges.ts';
import { type Marks, marksOf, tracesOf } from '../support/node/traces.ts';
import { nodeTest, startNode, type TestNode } from '../support/node.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('lifecycle');
const library = join(import.meta.dirname, '../../scripts/node/index.ts');
const script = join(import.meta.dirname, '../../scripts/node.ts');

/** Traces go a moment after the process that they belong to. */
const gone = (marks: Marks): Promise<void> => eventually(() => tracesOf(marks)).toEqual([]);

/** Gives a node a Pod, and so a network namespace, mounts and cgroups of containers. */
async function runPod(node: TestNode): Promise<void> {
  await node.kubectl('create', 'deployment', 'sleeper', `--image=${pauseImage}`);
  await node.kubectl('rollout', 'status', 'deployment/sleeper', '--timeout=60s');
}

/** A folder with some of Kubernetes' programs, as KUBEBUILDER_ASSETS names one. */
function assetsOf(name: string, programs: readonly string[]): string {
  const target = join(folder, name);
  mkdirSync(target);
  for (const program of programs) symlinkSync(join(builtFolder(), program), join(target, program));
  return target;
}

describe('nothing is left of a node', () => {
  nodeTest('that was stopped', async () => {
    const node = await startNode();
    await runPod(node);
    const marks = marksOf(node);
    expect(tracesOf(marks).map((trace) => trace.split(' ')[0])).toEqual(
      expect.arrayContaining(['process', 'cgroup', 'folder']),
    );
    await node[Symbol.asyncDispose]();
    expect(tracesOf(marks)).toEqual([]);
  });

  nodeTest('with another one in its lab, whose starter was killed', async () => {
    const start = `const { startCluster } = await import(${JSON.stringify(library)});
      const [{ state, pid, keeper }] = await startCluster({ workers: 1 });
      console.log(JSON.stringify({ state, pid, keeper }));`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', start], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const place = await new Promise<string>((settle) => starter.stdout.on('data', (chunk) => settle(String(chunk))));
    const marks = marksOf(JSON.parse(place));
    expect(tracesOf(marks)).not.toEqual([]);
    starter.kill('SIGKILL');
    await gone(marks);
  });

  nodeTest('whose first process was killed', async () => {
    const node = await startNode();
    await runPod(node);
    const marks = marksOf(node);
    process.kill(node.pid, 'SIGKILL');
    await gone(marks);
    await node[Symbol.asyncDispose]();
  });

  nodeTest('whose keeper was interrupted', async () => {
    const node = await startNode();
    const marks = marksOf(node);
    process.kill(node.keeper, 'SIGTERM');
    await gone(marks);
    await node[Symbol.asyncDispose]();
  });

  nodeTest('whose keeper was killed, once another node starts', async () => {
    const node = await startNode();
    await runPod(node);
    const marks = marksOf(node);
    process.kill(node.keeper, 'SIGKILL');
    await node[Symbol.asyncDispose]();
    await eventually(() => tracesOf(marks).filter((trace) => trace.startsWith('process'))).toEqual([]);
    await using next = await startNode();
    await gone(marks);
    expect(tracesOf(marksOf(next))).not.toEqual([]);
  });
});

describe('a node', () => {
  nodeTest('runs beside another one, and neither knows of the other', async () => {
    const [one, two] = await Promise.all([startNode(), startNode()]);
    await using _one = one;
    await using _two = two;
    expect(one.state).not.toBe(two.state);
    await one.kubectl('create', 'namespace', 'only-here');
    expect(await one.kubectl('get', 'namespaces', '-o', 'name')).toContain('namespace/only-here');
    expect(await two.kubectl('get', 'namespaces', '-o', 'name')).not.toContain('namespace/only-here');
  });

  nodeTest('writes none of the places of this machine that kubelet has fixed', async () => {
    await using node = await startNode();
    for (const path of ['/var/lib/kubelet/device-plugins', '/var/log', '/run', '/proc/sys/vm/overcommit_memory']) {
      const inside = (await node.ok('stat', ['-c', '%d:%i', path])).trim();
      const outside = statSync(path, { throwIfNoEntry: false });
      expect([path, inside]).not.toEqual([path, outside && `${outside.dev}:${outside.ino}`]);
    }
  });

  nodeTest('that cannot start says which program failed, and how its log ends', async () => {
    const broken = assetsOf(
      'broken',
      components.filter((name) => name !== 'kube-apiserver'),
    );
    const server = join(broken, 'kube-apiserver');
    writeFileSync(server, '#!/bin/sh\necho "cannot find the moon" >&2\nexit 3\n');
    chmodSync(server, 0o755);
    const { code, stderr } = await run(process.execPath, [script, 'true'], { env: { KUBEBUILDER_ASSETS: broken } });
    expect(stderr).toMatch(
      /^node: the Kubernetes node did not start: kube-apiserver ended with 3 while the node started/,
    );
    expect(stderr).toContain('its log ends with:\n  cannot find the moon\n');
    expect(code).toBe(1);
  });
});

describe('KUBEBUILDER_ASSETS', () => {
  nodeTest('is where the programs are taken from, if it has them all', async () => {
    const complete = assetsOf('complete', components);
    const printing = ['sh', '-c', 'tr "\\0" "\\n" < /proc/$(pidof -s kube-apiserver)/cmdline | head -n 1'];
    const { stdout, stderr } = await run(process.execPath, [script, ...printing], {
      env: { KUBEBUILDER_ASSETS: complete },
    });
    expect([stdout, stderr]).toEqual([`${join(complete, 'kube-apiserver')}\n`, '']);
  });

  nodeTest('is not used if it lacks some, which are named', async () => {
    const lacking = assetsOf(
      'lacking',
      components.filter((name) => !['kubelet', 'kube-proxy'].includes(name)),
    );
    const { code, stdout, stderr } = await run(process.execPath, [script], { env: { KUBEBUILDER_ASSETS: lacking } });
    expect(stderr).toContain(`KUBEBUILDER_ASSETS is not used: ${lacking} lacks kube-proxy, kubelet`);
    expect(stdout).toContain(builtFolder());
    expect(code).toBe(0);
    expect(assets({ KUBEBUILDER_ASSETS: lacking })).toEqual({ folder: lacking, lacks: ['kube-proxy', 'kubelet'] });
    expect(programFolder({ KUBEBUILDER_ASSETS: lacking })).toBe(builtFolder({}));
  });

  nodeTest('that is empty or unset says nothing', () => {
    expect(assets({})).toBeUndefined();
    expect(assets({ KUBEBUILDER_ASSETS: '' })).toBeUndefined();
  });
});
