import { readFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { sharedCache } from '../home.ts';

/** The programs of Kubernetes that make a node of one machine, as `kubernetes/go.mod` names them. */
export const components = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubelet',
] as const;

/** The programs of a control plane without a node: they store objects, and act on them. */
export const controllers = ['kube-apiserver', 'kube-controller-manager'] as const;

/** The Go module that only pins Kubernetes. */
export const kubernetesModule: string = join(import.meta.dirname, 'kubernetes');

/** This machine's architecture, as in Go, Kubernetes and OCI images. */
export const architecture: string = arch() === 'x64' ? 'amd64' : arch();

/**
 * Returns the release of Kubernetes for tests and the demo, such as `v1.35.4`: the one that `kubernetes/go.mod`
 * requires.
 */
export function kubernetesRelease(): string {
  const file = join(kubernetesModule, 'go.mod');
  const version = /^require k8s\.io\/kubernetes (v\d+\.\d+\.\d+)\b/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} does not require a release of k8s.io/kubernetes`);
  return version;
}

/** Returns the folder for built programs, by release and architecture. */
export function builtFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(sharedCache(env), 'kubernetes', `${kubernetesRelease()}-linux-${architecture}`);
}
