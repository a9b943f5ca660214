import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFiles } from './cli.ts';
import { buildImage, type TestImage, writeLayout } from './image.ts';
import { ok } from './judges.ts';

/** What describes a medium, which era it is of. */
export type Era = 'manifest' | 'product';

/** How a medium for MetalK8s is made. */
export interface MediumOptions {
  readonly era?: Era;
  readonly name?: string;
  readonly version?: string;
  /** Images beside the operator's, `name:tag`. */
  readonly images?: readonly string[];
  /** Makes the image of a name, `name:tag`; left out, one that runs nowhere. */
  readonly build?: (image: string) => Pick<TestImage, 'index' | 'blobs'>;
  /** Files that are other than usual, by path; undefined leaves one out. */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

const api = 'solutions.metalk8s.scality.com/v1alpha1';

/** A definition of a kind of its own for each Solution, as an operator's SDK makes it. */
function definition(plural: string, kind: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.example.com
spec:
  group: example.com
  names: {kind: ${kind}, plural: ${plural}}
  scope: Namespaced
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
}

const roles = `kind: Role
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: clock-operator, namespace: elsewhere}
rules:
  - apiGroups: [example.com]
    resources: ['*']
    verbs: ['*']
---
---
kind: ClusterRole
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: clock-operator-nodes}
rules:
  - apiGroups: ['']
    resources: [nodes]
    verbs: [get, list]
`;

function described({ era = 'manifest', name = 'clock', version = '1.0.0', images = [] }: MediumOptions) {
  if (era === 'product') {
    return {
      'product.txt': `NAME=${name.replace('clock', 'Clock')}\nVERSION=${version}\nSHORT_VERSION=1.0\nBUILD_HOST=here\n`,
      'config.yaml': `apiVersion: ${api}\nkind: SolutionConfig\ncustomApiGroups: [example.com]\n`,
    };
  }
  const all = [...images, `${name}-operator:${version}`];
  return {
    'manifest.yaml': `apiVersion: ${api}
kind: Solution
metadata:
  name: ${name}
  labels: {}
  annotations:
    solutions.metalk8s.scality.com/display-name: Clock Solution
    solutions.metalk8s.scality.com/build-host: here
spec:
  version: ${version}
  images: [${all.map((image) => JSON.stringify(image)).join(', ')}]
  operator: {image: {name: ${name}-operator, tag: ${version}}}
`,
  };
}

/** The files of a medium, images aside. */
function filesOf(options: MediumOptions): Record<string, string> {
  const all: Readonly<Record<string, string | undefined>> = {
    ...described(options),
    'operator/deploy/crds/example_v1alpha1_clock_crd.yaml': definition('clocks', 'Clock'),
    'operator/deploy/crds/example_v1alpha1_clock_cr.yaml': 'a sample, which MetalK8s leaves out\n',
    'operator/deploy/role.yaml': roles,
    'registry-config.inc.j2': '# {{ repository }} {{ registry_root }}\n',
    ...options.files,
  };
  return Object.fromEntries(Object.entries(all).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])));
}

/**
 * Lays out the folder of a medium for MetalK8s: its images are copied by skopeo from an image layout, as producers do
 * (`--format v2s2 --dest-compress`). Returns the folder.
 */
export async function mediumFolder(folder: string, options: MediumOptions = {}): Promise<string> {
  const { name = 'clock', version = '1.0.0', images = [] } = options;
  const build = options.build ?? ((image) => buildImage({ seed: image, files: { 'etc/hello': 'shared by all\n' } }));
  const root = join(folder, 'root');
  writeFiles(root, filesOf(options));
  for (const [at, image] of [`${name}-operator:${version}`, ...images].entries()) {
    const layout = join(folder, `layout-${at}`);
    await writeLayout(layout, [{ name: 'it', image: build(image) }]);
    const target = join(root, 'images', ...image.split(':'));
    mkdirSync(dirname(target), { recursive: true });
    const from = `oci:${layout}:it`;
    await ok('skopeo', [
      '--insecure-policy',
      'copy',
      '-q',
      '--format',
      'v2s2',
      '--dest-compress',
      from,
      `dir:${target}`,
    ]);
  }
  return root;
}

/**
 * Makes an ISO of a folder by the options by which producers of such media do; `program` is what is `mkisofs` there.
 */
export async function makeIso(
  root: string,
  output: string,
  program: 'genisoimage' | 'xorriso' = 'genisoimage',
): Promise<void> {
  const names = ['-rock', '-joliet', '-joliet-long', '-full-iso9660-filenames', '-iso-level', '3'];
  const who = ['-uid', '0', '-gid', '0', '-volid', 'Clock 1.0.0'];
  const as = program === 'xorriso' ? ['-as', 'mkisofs'] : [];
  await ok(program, [...as, '-quiet', '-output', output, ...names, ...who, root]);
}

/** Makes a whole medium for MetalK8s below `folder`, and returns the path of its ISO. */
export async function makeMedium(folder: string, output: string, options: MediumOptions = {}): Promise<string> {
  const root = await mediumFolder(folder, options);
  await makeIso(root, output);
  return output;
}
