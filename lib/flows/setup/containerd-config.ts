import { join } from 'node:path';
import { parseToml } from '../../../formats/document/toml.ts';
import { isRecord } from '../../../formats/record.ts';
import { readFile } from '../../kernel/files/open-file.ts';
import { findMirrors } from '../../parts/mirrors/index.ts';

const CONFIG = '/etc/containerd/config.toml';

/** The plugins of containerd that have `registry.config_path`: of configurations of version 3, and of version 2. */
const plugins = ['io.containerd.cri.v1.images', 'io.containerd.grpc.v1.cri'] as const;

/**
 * Returns the folder in which the containerd of a machine looks for mirrors, as its configuration says (containerd,
 * "Registry Configuration"); undefined where it names none, or cannot be read.
 */
export async function mirrorsFolder(root: string): Promise<string | undefined> {
  const source = await readFile(join(root, CONFIG)).then(
    (bytes) => Buffer.from(bytes).toString(),
    () => '',
  );
  const parsed = readToml(source);
  for (const plugin of plugins) {
    const path = fieldIn(parsed, 'plugins', plugin, 'registry', 'config_path');
    // Several have colons between them, and the first that has a file for a registry counts.
    const [first] = typeof path === 'string' ? path.split(':') : [];
    if (first?.startsWith('/')) return first;
  }
  return undefined;
}

/** Returns the address of the registry that a `hosts.toml` of `_default` leads all pulls to; undefined where there is none. */
export async function mirrorOf(root: string, hostsDir: string): Promise<string | undefined> {
  const found = await findMirrors(join(root, hostsDir), ['_default']).catch(() => []);
  const [server] = found.flatMap(({ servers }) => servers);
  return server?.url;
}

function readToml(source: string): unknown {
  try {
    return parseToml(source, 'toml-invalid');
  } catch {
    // Whoever looks around says what it found, and containerd itself complains about its configuration.
    return undefined;
  }
}

function fieldIn(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
}
