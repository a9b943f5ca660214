import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { busyboxImage } from '../../../scripts/node/busybox.ts';
import { stated } from '../../lib/parts/clusters/kubernetes/support.ts';
import { writeFiles } from '../cli.ts';
import { packHere } from '../flow.ts';
import { writeLayout } from '../image.ts';
import { find } from '../judges.ts';
import { space } from './requests.ts';
import { workload } from './shops.ts';

/** Where the registry in the cluster listens, on its node. */
export const address = '127.0.0.1:5001';
const reference = 'registry.example.com/infra/registry:3';

/**
 * Packs the Solution `registry` into an archive at `<folder>.iso`: Distribution 3 in one Pod, in the network of its
 * node, which keeps what it has in the folder `data` of the node.
 */
export async function packRegistry(folder: string, data: string): Promise<string> {
  const settings = {
    version: 0.1,
    log: { level: 'warn', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: '/data' } },
    http: { addr: address },
  };
  const image = busyboxImage({
    reference,
    command: ['/bin/registry', 'serve', '/etc/registry.yml'],
    files: { 'etc/registry.yml': stringify(settings) },
    programs: registryProgram(),
  });
  await writeLayout(join(folder, 'images'), [{ name: reference, image }]);
  const pod = {
    hostNetwork: true,
    volumes: [{ name: 'data', hostPath: { path: data, type: 'DirectoryOrCreate' } }],
  };
  const container = {
    image: reference,
    env: [{ name: 'OTEL_TRACES_EXPORTER', value: 'none' }],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
    readinessProbe: { httpGet: { host: '127.0.0.1', port: 5001, path: '/v2/' }, periodSeconds: 1 },
  };
  const deployment = workload('registry/registry', { container, pod });
  const spec = { ...(deployment['spec'] as object), strategy: { type: 'Recreate' } };
  return packSolution(folder, 'registry', reference, [
    space('registry'),
    stated('apps/v1', 'Deployment', 'registry/registry', { spec }),
  ]);
}

/** Packs a Solution of one image, of the layout `images` in its folder, and one component. */
export async function packSolution(
  folder: string,
  name: string,
  image: string,
  objects: readonly KubernetesObject[],
): Promise<string> {
  writeFiles(folder, {
    'solution.toml': `name = "${name}"
version = "1.0.0"

[[images]]
reference = "${image}"
source = "oci:images:${image}"

[[components]]
name = "all"
kind = "manifests"
path = "all.yaml"
`,
    'all.yaml': objects.map((one) => stringify(one)).join('---\n'),
  });
  const archive = `${folder}.iso`;
  await packHere(join(folder, 'solution.toml'), archive);
  return archive;
}

/** Distribution 3 with the libraries that it loads, by their paths in an image. */
function registryProgram(): Record<string, Uint8Array> {
  const program = find('registry');
  if (program === undefined) throw new Error('no registry is here; npm run judges builds it');
  let libraries: string;
  try {
    libraries = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    // It loads none.
    libraries = '';
  }
  const paths = [...libraries.matchAll(/(?:=> |^\s+)(\/\S+) \(/gm)].map(([, path]) => path!);
  return Object.fromEntries([
    ['bin/registry', readFileSync(program)],
    ...paths.map((path) => [path.slice(1), readFileSync(path)]),
  ]);
}
