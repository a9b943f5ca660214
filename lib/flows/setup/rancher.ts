import { join } from 'node:path';
import { parseYaml } from '../../../formats/manifest/yaml.ts';
import { isRecord } from '../../../formats/record.ts';
import { readFile } from '../../kernel/files/index.ts';
import type { SetupAction } from './action.ts';
import { pullsOf } from './containerd-config.ts';
import type { FoundPull, KubernetesDistribution, Machine } from './machine.ts';

/** Returns the file that k3s and RKE2 make the mirrors of their containerd of; undefined for other distributions. */
export function registriesFile(distribution: KubernetesDistribution): string | undefined {
  return distribution === 'k3s' || distribution === 'rke2' ? `/etc/rancher/${distribution}/registries.yaml` : undefined;
}

/** Reads the mirrors in the `registries.yaml` of k3s or RKE2; none where there is no such file, or it is none. */
export async function registriesIn(root: string, path: string): Promise<readonly FoundPull[]> {
  try {
    const text = Buffer.from(await readFile(join(root, path))).toString();
    const value = parseYaml(text, path)[0]?.value;
    return pullsOf(isRecord(value) ? value['mirrors'] : undefined, path);
  } catch {
    // The person who looks around says what it found, and k3s itself complains about its configuration.
    return [];
  }
}

/**
 * Has k3s or RKE2 pull from the registry at `address`, whatever its scheme is; nothing where that is configured
 * already.
 */
export function registriesActions({ kubernetes, runtimes }: Machine, address: string): SetupAction[] {
  const path = registriesFile(kubernetes.distribution);
  if (path === undefined) return [];
  const { host, origin } = new URL(address);
  const isThere = runtimes.some(({ mirrors = [] }) =>
    mirrors.some(({ registry, server }) => [host, '*'].includes(registry) && URL.parse(server)?.origin === origin),
  );
  if (isThere) return [];
  const [name, endpoint] = [JSON.stringify(host), JSON.stringify(origin)];
  const text = `# Written by "solpack setup", which removes it with --undo.\nmirrors:\n  ${name}:\n    endpoint:\n      - ${endpoint}\n`;
  const instead = `add below "mirrors" in it: ${name}: {endpoint: [${endpoint}]}; then run the same again`;
  return [{ kind: 'file', path, text, what: 'registry that images are pulled from', instead }];
}
