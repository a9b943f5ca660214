import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { words } from '../home.ts';
import { isAlive, ownIdentity } from './identity.ts';
import { findProgram, isProgram, lackingComponents } from './programs.ts';
import { architecture, kubernetesModule, kubernetesRelease } from './release.ts';

/** The oldest Go that can fetch the version that Kubernetes needs. */
const oldestGo = [1, 21] as const;

/**
 * Builds Kubernetes' programs with Go in a folder beside `folder`, and renames it. `folder` is complete or absent, also
 * when several processes build at once; then the first one wins. Throws, in one line, where that is not possible.
 */
export async function buildComponents(folder: string, tell: (what: string) => void): Promise<void> {
  const go = usableGo("a folder of Kubernetes' programs in KUBEBUILDER_ASSETS");
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

/** Returns the command that builds all tools of `kubernetes/go.mod` into `target`. */
export function buildCommand(target: string): string[] {
  const version = kubernetesRelease();
  const [major, minor] = version.slice(1).split('.');
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    // A module does not know its commit. Without this, programs would print the placeholder that git replaces.
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
    // When this process is ended, it ends Go first, so that nothing is built into a folder that is given up.
    const stop = (): void => void child.kill('SIGINT');
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.on('close', (code, signal) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      if (code === 0) settle();
      else reject(new Error(`go build ended with ${code ?? signal}: ${said.trim().split('\n').slice(-3).join('; ')}`));
    });
  });
}

/**
 * Returns the path of a Go that can build what is pinned here. Throws where there is none; `or` says what would do
 * instead.
 */
export function usableGo(or: string): string {
  const go = findProgram('go') ?? ['/usr/local/go/bin/go', '/usr/lib/go/bin/go'].find(isProgram);
  const wanted = oldestGo.join('.');
  if (go === undefined) throw new Error(`needs Go ${wanted} or later, or ${or}`);
  const version = spawnSync(go, ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  const [, major = 0, minor = 0] = (/^go(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  if (major > oldestGo[0] || (major === oldestGo[0] && minor >= oldestGo[1])) return go;
  throw new Error(`needs Go ${wanted} or later, and ${go} is ${version || 'none'}`);
}

/** Renames the complete folder `fresh` to `folder`, unless another process was faster. */
function place(fresh: string, folder: string): void {
  // An incomplete folder belongs to nobody.
  if (lackingComponents(folder).length > 0) rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (lackingComponents(folder).length > 0) throw error;
  }
}

/** Removes what killed builds have left. */
function removeAbandoned(parent: string, name: string): void {
  for (const entry of readdirSync(parent)) {
    const owner = entry.startsWith(`${name}.`) && entry.endsWith('.partial') ? entry.slice(name.length + 1, -8) : '';
    if (owner !== '' && !isAlive(owner)) rmSync(join(parent, entry), { recursive: true, force: true });
  }
}
