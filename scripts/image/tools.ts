import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Platform } from '../executable/platforms.ts';
import { sharedCache } from '../home.ts';
import { usableGo } from '../node/build.ts';

/** The Go module that pins helm and kubectl, with all that they are made of. */
const folder = join(import.meta.dirname, 'tools');

/** What decides what is built. */
const recipe = ['go.mod', 'go.sum', 'kubectl/main.go'];

/** The versions that the module pins: of helm, of Kubernetes, and of Go itself. */
export interface ToolVersions {
  /** Such as `v4.1.4`. */
  readonly helm: string;
  /** Such as `v1.35.2`. */
  readonly kubectl: string;
  /** Such as `go1.26.8`. */
  readonly go: string;
}

/** Reads the versions in `tools/go.mod`. Throws where one is not there. */
export function toolVersions(): ToolVersions {
  const text = readFileSync(join(folder, 'go.mod'), 'utf8');
  const found = (pattern: RegExp): string => {
    const version = pattern.exec(text)?.[1];
    if (version === undefined) throw new Error(`${folder}/go.mod has no ${pattern.source}`);
    return version;
  };
  return {
    helm: found(/^\s*helm\.sh\/helm\/v4 (v\d+\.\d+\.\d+)/m),
    // The modules of Kubernetes count from v0 where its releases count from v1.
    kubectl: found(/^\s*k8s\.io\/kubectl (v0\.\d+\.\d+)/m).replace('v0.', 'v1.'),
    go: found(/^toolchain (go\d+\.\d+\.\d+)/m),
  };
}

/**
 * Returns a folder with helm and kubectl for a platform, which Go builds where they are not there. The same module
 * gives the same bytes: by one Go, without paths, C or the time. Throws where there is no Go, or no proxy of its
 * modules.
 */
export async function builtTools({ debian }: Platform, tell: (what: string) => void): Promise<string> {
  const digest = createHash('sha256');
  for (const name of recipe) digest.update(readFileSync(join(folder, name)));
  const name = `${digest.digest('hex').slice(0, 16)}-linux-${debian.architecture}`;
  const place = join(sharedCache(), 'tools', name);
  if (existsSync(place)) return place;
  const go = usableGo('a folder with both of them: --tools');
  tell(`builds helm and kubectl for linux-${debian.architecture} with Go, once for this machine: about two minutes`);
  mkdirSync(dirname(place), { recursive: true });
  const fresh = mkdtempSync(`${place}.`);
  try {
    const { helm, kubectl, go: toolchain } = toolVersions();
    const env = { GOARCH: debian.architecture, GOTOOLCHAIN: toolchain };
    const version = (path: string, value: string): string => `-X ${path}=${value}`;
    const stamps = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
    await build(go, fresh, env, 'helm.sh/helm/v4/cmd/helm', [
      version('helm.sh/helm/v4/internal/version.version', helm),
    ]);
    await build(
      go,
      fresh,
      env,
      './kubectl',
      stamps.map((path) => version(`${path}.gitVersion`, kubectl)),
    );
    if (!existsSync(place)) renameSync(fresh, place);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return place;
}

function build(
  go: string,
  target: string,
  { GOARCH, GOTOOLCHAIN }: { readonly GOARCH: string; readonly GOTOOLCHAIN: string },
  what: string,
  versions: readonly string[],
): Promise<void> {
  const flags = ['-trimpath', '-buildvcs=false', `-ldflags=-s -w -buildid= ${versions.join(' ')}`];
  const fixed = { GOOS: 'linux', GOARCH, GOTOOLCHAIN, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOWORK: 'off' };
  return new Promise((settle, reject) => {
    const child = spawn(go, ['build', ...flags, '-o', `${target}/`, what], {
      cwd: folder,
      env: { ...process.env, ...fixed },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) settle();
      else reject(new Error(`go build ${what} ended with ${code ?? signal}`));
    });
  });
}
