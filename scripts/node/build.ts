import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { words } from '../home.ts';
import { isAlive, ownIdentity } from './identity.ts';
import { findProgram, isProgram, lackingComponents } from './programs.ts';
import { architecture, kubernetesModule, kubernetesRelease } from './release.ts';

/** The oldest Go that knows how to fetch the one that Kubernetes wants. */
const oldestGo = [1, 21] as const;

/**
 * Builds Kubernetes' programs with Go into `folder`, through a folder beside it: `folder` is complete or absent, also
 * when several processes build at once, and then the first one wins. Throws, in one line, where it cannot be done.
 */
export async function buildComponents(folder: string, tell: (what: string) => void): Promise<void> {
  const go = usableGo();
  tell(
    `building Kubernetes ${kubernetesRelease()} with Go, once for this machine: about five minutes on 2 cores, ` +
      `here are ${availableParallelism()}`,
  );
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true });
  removeAbandoned(parent, basename(folder));
  const fresh = `${folder}.${ownIdentity()}.partial`;
  try {
    await build(go, fresh);
    const lacks = lackingComponents(fresh);
    if (lacks.length > 0) throw new Error(`Go built no ${lacks.join(', ')}`);
    place(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The command that builds all programs that `kubernetes/go.mod` lists as tools into `target`. */
export function buildCommand(target: string): string[] {
  const version = kubernetesRelease();
  const [major, minor] = version.slice(1).split('.');
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    // The module does not tell; without this, the text that git would have replaced would be told instead.
    gitCommit: '',
    gitTreeState: 'clean',
  };
  const settings = ['component-base/version', 'client-go/pkg/version'].flatMap((name) =>
    Object.entries(values).map(([key, value]) => `-X k8s.io/${name}.${key}=${value}`),
  );
  return ['build', '-trimpath', `-ldflags=-s -w ${settings.join(' ')}`, '-o', `${target}/`, 'tool'];
}

function build(go: string, target: string): Promise<void> {
  mkdirSync(target);
  const env = {
    ...process.env,
    CGO_ENABLED: '0',
    GOOS: 'linux',
    GOARCH: architecture,
    GOFLAGS: '-mod=readonly',
    GOWORK: 'off',
  };
  return new Promise((settle, reject) => {
    const child = spawn(go, buildCommand(target), { cwd: kubernetesModule, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-8192);
    });
    child.on('error', (error) => reject(new Error(`${go} cannot be run: ${words(error)}`, { cause: error })));
    // Told to end, this process ends Go first, so that nobody goes on building into a folder that is given up.
    const stop = (): void => void child.kill('SIGINT');
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.on('close', (code, signal) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      if (code === 0) settle();
      else reject(new Error(`go build ended with ${code ?? signal}: ${said.trim().split('\n').slice(-3).join('; ')}`));
    });
  });
}

function usableGo(): string {
  const go = findProgram('go') ?? ['/usr/local/go/bin/go', '/usr/lib/go/bin/go'].find(isProgram);
  const wanted = oldestGo.join('.');
  if (go === undefined)
    throw new Error(`needs Go ${wanted} or later, or a folder of Kubernetes' programs in KUBEBUILDER_ASSETS`);
  const version = spawnSync(go, ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  const [, major = 0, minor = 0] = (/^go(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  if (major > oldestGo[0] || (major === oldestGo[0] && minor >= oldestGo[1])) return go;
  throw new Error(`needs Go ${wanted} or later, and ${go} is ${version || 'none'}`);
}

/** Puts the complete folder `fresh` in its place, unless another process was faster. */
function place(fresh: string, folder: string): void {
  // What lies there without being complete is nobody's work.
  if (lackingComponents(folder).length > 0) rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (lackingComponents(folder).length > 0) throw error;
  }
}

/** Removes what builds left that were killed. */
function removeAbandoned(parent: string, name: string): void {
  for (const entry of readdirSync(parent)) {
    const owner = entry.startsWith(`${name}.`) && entry.endsWith('.partial') ? entry.slice(name.length + 1, -8) : '';
    if (owner !== '' && !isAlive(owner)) rmSync(join(parent, entry), { recursive: true, force: true });
  }
}
