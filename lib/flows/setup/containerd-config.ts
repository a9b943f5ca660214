import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { parseToml } from '../../../formats/document/toml.ts';
import { isRecord } from '../../../formats/record.ts';
import { readFile } from '../../kernel/files/index.ts';
import { findMirrors } from '../../parts/mirrors/index.ts';
import type { FoundPull } from './machine.ts';

const CONFIG = '/etc/containerd/config.toml';

/** The plugins of containerd that have `registry.config_path`: of configurations of version 3, and of version 2. */
const plugins = ['io.containerd.cri.v1.images', 'io.containerd.grpc.v1.cri'] as const;

/** Where the containerd of a machine looks for mirrors, and which ones somebody else has configured there. */
export interface ContainerdMirrors {
  /** Absent where its configuration names none, or cannot be read. */
  readonly hostsDir?: string;
  readonly mirrors: readonly FoundPull[];
}

/**
 * Finds out where the containerd of a machine pulls from, as its configuration says (containerd, "Registry
 * Configuration").
 */
export async function containerdMirrors(root: string): Promise<ContainerdMirrors> {
  const source = await readFile(join(root, CONFIG)).then(
    (bytes) => Buffer.from(bytes).toString(),
    () => '',
  );
  const parsed = readToml(source);
  for (const plugin of plugins) {
    const registry = fieldIn(parsed, 'plugins', plugin, 'registry');
    const path = fieldIn(registry, 'config_path');
    // Several have colons between them, and the first that has a file for a registry counts.
    const [first] = typeof path === 'string' ? path.split(':') : [];
    if (first?.startsWith('/')) return { hostsDir: first, mirrors: await mirrorsIn(root, first) };
    // Releases before 2.0 have them here as well.
    const mirrors = pullsOf(fieldIn(registry, 'mirrors'), CONFIG);
    if (mirrors.length > 0) return { mirrors };
  }
  return { mirrors: [] };
}

/** Reads a map of registries to their `endpoint`, as containerd before 2.0 and the `registries.yaml` of k3s have it. */
export function pullsOf(mirrors: unknown, path: string): FoundPull[] {
  return Object.entries(isRecord(mirrors) ? mirrors : {}).flatMap(([registry, mirror]) => {
    const [server]: readonly unknown[] = [fieldIn(mirror, 'endpoint')].flat();
    return typeof server === 'string' && /^https?:/.test(server) ? [{ registry, server, path }] : [];
  });
}

/** Lists the mirrors in a `config_path`, without those that solpack has written itself. */
async function mirrorsIn(root: string, hostsDir: string): Promise<FoundPull[]> {
  const folder = join(root, hostsDir);
  const names = await fs.readdir(folder).catch(() => []);
  const registries = names.sort().map((name) => name.replace(/_(\d+)_$/, ':$1'));
  const own = new Set((await findMirrors(folder).catch(() => [])).map(({ registry }) => registry));
  const found = await findMirrors(
    folder,
    registries.filter((registry) => !own.has(registry)),
  ).catch(() => []);
  return found.flatMap(({ registry, servers: [server] }) => {
    if (server === undefined) return [];
    const path = join(hostsDir, registry, 'hosts.toml');
    return [{ registry: registry === '_default' ? '*' : registry, server: server.url, path }];
  });
}

function readToml(source: string): unknown {
  try {
    return parseToml(source, 'toml-invalid');
  } catch {
    // The person who looks around says what it found, and containerd itself complains about its configuration.
    return undefined;
  }
}

function fieldIn(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
}
