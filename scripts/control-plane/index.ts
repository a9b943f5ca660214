import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificates } from '../node/certificates.ts';
import { writeKubeconfig } from '../node/kubeconfig.ts';
import { etcdProgram, findProgram, lackingComponents, programFolder, programPath } from '../node/programs.ts';
import { controllers } from '../node/release.ts';
import { type Paths, pathsOf } from '../node/state.ts';
import { argumentsOf } from './commands.ts';
import { freePorts, type Program, startProgram } from './programs.ts';

/** The programs of a control plane: an API server with its etcd and Kubernetes' controllers on this machine. */
export interface RunningControlPlane {
  readonly paths: Paths;
  /** URL of the API server. */
  readonly url: string;
  /** Process id of the shell that keeps the API server. */
  readonly id: number;
  /** Ends the API server without a word, lets `meanwhile` pass, and starts it again; resolves when it answers. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
  /** Ends all programs, and removes their files. */
  end(): Promise<void>;
}

/** Milliseconds that a start has; on two free cores it takes four seconds. */
export const patience = 120_000;

/** Returns what this machine lacks for a control plane. */
export function lackingForControlPlane(): string[] {
  if (process.platform !== 'linux') return ['Linux'];
  const folder = programFolder(process.env, controllers);
  const programs = ['kubectl', 'openssl'].filter((name) => findProgram(name) === undefined);
  return [...(etcdProgram(folder) ? [] : ['etcd']), ...programs, ...lackingComponents(folder, controllers)];
}

/** Starts a control plane on free ports of 127.0.0.1, and waits until it answers. */
export async function startControlPlane(): Promise<RunningControlPlane> {
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
  const answers = (...words: string[]): Promise<void> => until(words, paths, running);
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
  return {
    paths,
    url,
    id: running.get('kube-apiserver')!.id,
    restart: async (meanwhile) => {
      await running.get('kube-apiserver')?.end();
      await meanwhile();
      start('kube-apiserver');
      await answers('get', '--raw', '/readyz');
    },
    end,
  };
}

/** Runs kubectl as the administrator of a control plane. Rejects where it fails. */
export function kubectl(words: readonly string[], { kubeconfig }: Pick<Paths, 'kubeconfig'>): Promise<string> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  return new Promise((settle, reject) => {
    execFile(programPath('kubectl'), [...words], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (error) reject(error);
      else settle(stdout);
    });
  });
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
async function until(words: string[], paths: Paths, programs: ReadonlyMap<string, Program>): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const failure = await kubectl(words, paths).then(() => undefined, String);
    if (failure === undefined) return;
    for (const [name, { hasEnded, tail }] of programs) {
      if (hasEnded()) throw new Error(`${name} has ended; its log ends with:\n${tail()}`);
    }
    if (performance.now() > deadline) throw new Error(`the control plane does not come up: ${failure}`);
    await sleep(50);
  }
}
