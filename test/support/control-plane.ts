import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, type TestContext, test } from 'vitest';
import { issue, makeCertificates } from '../../scripts/node/certificates.ts';
import { writeCertificateKubeconfig, writeKubeconfig } from '../../scripts/node/kubeconfig.ts';
import { etcdProgram, lackingComponents, programFolder } from '../../scripts/node/programs.ts';
import { controllers } from '../../scripts/node/release.ts';
import { type Paths, pathsOf } from '../../scripts/node/state.ts';
import { argumentsOf } from './control-plane/commands.ts';
import { freePorts, type Program, startProgram } from './control-plane/programs.ts';
import { find, type Outcome, ok, run, type ShellOptions } from './judges.ts';

/**
 * A real API server with its etcd and Kubernetes' controllers on this machine, which needs no root: objects are stored,
 * checked, owned and removed as in any cluster, but no node is there, so that no Pod ever runs.
 */
export interface ControlPlane extends AsyncDisposable {
  /** The folder that all of its files lie in; gone when it is. */
  readonly state: string;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Runs kubectl as the administrator; it has to succeed. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** The same with more to say, such as an input, to its end, however that is. */
  tried(args: readonly string[], options?: ShellOptions): Promise<Outcome>;
  /** Writes a kubeconfig of a user who may do nothing until the test adds RBAC rules; returns its path. */
  userKubeconfig(user: string): Promise<string>;
  /** Ends the API server without a word, lets `meanwhile` pass, and starts it again; resolves when it answers. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
}

/** Milliseconds that a start has; on two free cores it takes four seconds. */
const patience = 120_000;

/**
 * A test that needs a control plane. Where none can be started the test is named in the closing list "not judged here";
 * with SOLPACK_REQUIRE_TOOLS=1 it fails. `timeout` is in milliseconds.
 */
export function controlPlaneTest(
  name: string,
  work: (context: TestContext) => Promise<void> | void,
  timeout = 120_000,
): void {
  test(name, { timeout }, async (context) => {
    const lacks = lacking();
    if (lacks.length === 0) return work(context);
    const note = `needs ${lacks.join(', ')}`;
    if (process.env['SOLPACK_REQUIRE_TOOLS'] === '1') throw new Error(`not judged: ${note}; run npm test with Go`);
    context.skip(note);
  });
}

/**
 * One control plane for all tests of a file, started before them and ended after them, where one can be started at all.
 * Call it at the top level of a test file, and what it returns inside of tests of `controlPlaneTest`.
 */
export function sharedControlPlane(): () => ControlPlane {
  let plane: ControlPlane | undefined;
  beforeAll(async () => {
    if (lacking().length === 0) plane = await startControlPlane();
  }, patience + 30_000);
  afterAll(() => plane?.[Symbol.asyncDispose](), 60_000);
  return () => {
    if (!plane) throw new Error('the control plane is there in tests of controlPlaneTest only, once they run');
    return plane;
  };
}

/** What this machine lacks for a control plane. */
function lacking(): string[] {
  if (process.platform !== 'linux') return ['Linux'];
  const folder = programFolder(process.env, controllers);
  const programs = ['kubectl', 'openssl'].filter((name) => find(name) === undefined);
  return [...(etcdProgram(folder) ? [] : ['etcd']), ...programs, ...lackingComponents(folder, controllers)];
}

async function startControlPlane(): Promise<ControlPlane> {
  const state = mkdtempSync(join(tmpdir(), 'solpack-control-plane-'));
  const paths = pathsOf(state);
  for (const folder of [paths.logs, paths.pki, paths.config, paths.data]) mkdirSync(folder);
  await makeCertificates(paths);
  const [etcd = 0, peers = 0, server = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${server}`;
  const folder = programFolder(process.env, controllers);
  const args = argumentsOf(paths, { etcd, peers, server }, makeAdministrator(paths, url));
  const running = new Map<keyof typeof args, Program>();
  const start = (name: keyof typeof args, path = join(folder, name)): void =>
    void running.set(name, startProgram(name, path, args[name], paths));
  const env = { KUBECONFIG: paths.kubeconfig };
  const tried: ControlPlane['tried'] = (words, options) => run('kubectl', words, { ...options, env });
  const answers = (...words: string[]): Promise<void> => until(words, tried, running);
  const end = async (): Promise<void> => {
    await Promise.all([...running.values()].map((program) => program.end()));
    await rm(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  try {
    start('etcd', etcdProgram(folder));
    start('kube-apiserver');
    await answers('get', '--raw', '/readyz');
    start('kube-controller-manager');
    await answers('get', 'serviceaccount', 'default');
  } catch (error) {
    await end();
    throw error;
  }
  let users = 0;
  return {
    state,
    kubeconfig: paths.kubeconfig,
    kubectl: (...words) => ok('kubectl', words, { env }),
    tried,
    userKubeconfig: async (user) => {
      users += 1;
      const file = join(state, `user-${users}.kubeconfig`);
      await issue(paths, `user-${users}`, { name: user });
      writeCertificateKubeconfig(paths, file, user, `user-${users}`, url);
      return file;
    },
    restart: async (meanwhile) => {
      await running.get('kube-apiserver')?.end();
      await meanwhile();
      start('kube-apiserver');
      await answers('get', '--raw', '/readyz');
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Gives the administrator a kubeconfig, and returns the API server's token file. */
function makeAdministrator(paths: Paths, url: string): string {
  const tokens = join(paths.pki, 'tokens.csv');
  const token = randomBytes(24).toString('base64url');
  writeFileSync(tokens, `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  writeKubeconfig(paths, paths.kubeconfig, 'admin', { token }, url);
  return tokens;
}

/** Waits until kubectl succeeds; throws with the end of a log as soon as a program has ended, or after `patience`. */
async function until(
  words: string[],
  kubectl: ControlPlane['tried'],
  programs: ReadonlyMap<string, Program>,
): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const { code, stderr } = await kubectl(words);
    if (code === 0) return;
    for (const [name, { hasEnded, tail }] of programs) {
      if (hasEnded()) throw new Error(`${name} has ended; its log ends with:\n${tail()}`);
    }
    if (performance.now() > deadline) throw new Error(`the control plane does not come up: ${stderr}`);
    await sleep(50);
  }
}
