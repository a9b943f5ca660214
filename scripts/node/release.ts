import { readFileSync } from 'node:fs';
import { arch, homedir } from 'node:os';
import { join } from 'node:path';

/** The programs of Kubernetes that make a node of one machine, as `kubernetes/go.mod` names them. */
export const components = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubelet',
] as const;

/** Those of them that make a control plane without a node: what stores objects, and what acts on them. */
export const controllers = ['kube-apiserver', 'kube-controller-manager'] as const;

/** The Go module that pins Kubernetes; it holds nothing but that. */
export const kubernetesModule: string = join(import.meta.dirname, 'kubernetes');

/** This machine's architecture, as Go, Kubernetes and OCI images name it. */
export const architecture: string = arch() === 'x64' ? 'amd64' : arch();

/** The release of Kubernetes that tests and the demo run on, `v1.35.4`: the one that `kubernetes/go.mod` requires. */
export function kubernetesRelease(): string {
  const file = join(kubernetesModule, 'go.mod');
  const version = /^require k8s\.io\/kubernetes (v\d+\.\d+\.\d+)\b/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} does not require a release of k8s.io/kubernetes`);
  return version;
}

/**
 * Where built programs are kept, by release and architecture: outside of the checkout, so that every clone of this
 * machine shares them (XDG Base Directory Specification 0.8).
 */
export function builtFolder(env: NodeJS.ProcessEnv = process.env): string {
  // The specification has relative paths ignored.
  const caches = env['XDG_CACHE_HOME']?.startsWith('/') ? env['XDG_CACHE_HOME'] : join(homedir(), '.cache');
  return join(caches, 'solpack/kubernetes', `${kubernetesRelease()}-linux-${architecture}`);
}
