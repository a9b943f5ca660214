import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './measure.ts';
import { archive, type Group, output } from './rows.ts';
import { dockerRegistry, freePort, nginx, solpackServe } from './servers.ts';
import { references } from './solution.ts';

/** Requests at once. */
const PARALLEL = 32;

/**
 * Makes the group that downloads every layer of the Solution in `input` from servers of the same files. Its archive was
 * packed before.
 */
export async function serving(input: string): Promise<Group> {
  const port = await freePort();
  const layers = layersOf(input);
  const named = layers.map(({ image, digest }) => `v2/registry.example.com/bench/image-${image}/blobs/${digest}`);
  const pushed = layers.map(({ image, digest }) => `v2/bench/image-${image}/blobs/${digest}`);
  const ours = get('ours', port, named);
  const registry = get('registry', port, pushed);
  const plain = layers.map(({ digest }) => digest.replace(':', '/'));
  const push = references.map((reference, image): Command[] => {
    const from = `oci:${input}/images:${reference}`;
    const to = `docker://127.0.0.1:${port}/bench/image-${image}:1.0.0`;
    return [['skopeo', 'copy', '--all', '--preserve-digests', '--dest-tls-verify=false', '-q', from, to]];
  });
  return {
    title: `${PARALLEL} downloads at once`,
    inputs: [archive, join(input, 'images/blobs')],
    rows: [
      {
        name: 'solpack serve',
        steps: [[ours]],
        server: { program: process.execPath, start: () => solpackServe(port, archive, [[ours]]) },
      },
      {
        name: 'solpack serve, the first time',
        steps: [[ours]],
        server: { program: process.execPath, start: () => solpackServe(port, archive) },
      },
      {
        name: 'nginx, one process',
        bar: 1 / 0.9,
        steps: [[get('nginx', port, plain)]],
        server: { program: 'nginx', start: () => nginx(port, join(input, 'images/blobs')) },
      },
      {
        name: 'docker-registry',
        bar: 1,
        steps: [[registry]],
        server: { program: 'docker-registry', start: () => dockerRegistry(port, [...push, [registry]]) },
      },
    ],
  };
}

/** Returns a command that requests paths and drops the answers. */
function get(name: string, port: number, paths: readonly string[]): Command {
  const file = join(output, `${name}.curl`);
  const lines = paths.flatMap((path) => [`url = "http://127.0.0.1:${port}/${path}"`, 'output = "/dev/null"']);
  writeFileSync(file, lines.join('\n'));
  return [
    'curl',
    '--silent',
    '--show-error',
    '--fail',
    '--parallel',
    '--parallel-max',
    `${PARALLEL}`,
    '--config',
    file,
  ];
}

/** Lists the layers of the images of a layout. */
function layersOf(input: string): { image: number; digest: string }[] {
  const read = (path: string): { manifests?: { digest: string }[]; layers?: { digest: string }[] } =>
    JSON.parse(readFileSync(join(input, 'images', path), 'utf8'));
  const manifests = read('index.json').manifests ?? [];
  return manifests.flatMap(({ digest }, image) => {
    const layers = read(`blobs/${digest.replace(':', '/')}`).layers ?? [];
    return layers.map((layer) => ({ image, digest: layer.digest }));
  });
}
