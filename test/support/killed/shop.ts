import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeeds, writeFiles } from '../cli.ts';
import { buildImage, writeLayout } from '../image.ts';

/** The versions of the shop. No Pod runs for any of them. */
export const versions = ['1.0.0', '2.0.0'] as const;
export type Version = (typeof versions)[number];

const reference = (name: string, version: string): string => `registry.example.com/${name}/web:${version}`;

const definition = (name: string, version: string): string => `name = "${name}"
version = "${version}"
sequence = 1

[[images]]
reference = "${reference(name, version)}"
source = "oci:images:${reference(name, version)}"

[[components]]
name = "base"
kind = "manifests"
path = "base.yaml"

[[components]]
name = "web"
kind = "helm"
path = "web"
namespace = "${name}"
after = ["base"]
`;

const kindOf = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}Cart`;

const base = (name: string, version: string): string => `apiVersion: v1
kind: Namespace
metadata: {name: ${name}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: carts.${name}.example.com}
spec:
  group: ${name}.example.com
  names: {kind: ${kindOf(name)}, plural: carts}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {version: {type: string}}}}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: only-${version}, namespace: ${name}}
`;

/**
 * What a chart has of a version: objects that change, that are replaced, that come and go, hooks of each kind, and a
 * custom one.
 */
const chart = (name: string, version: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {version: "${version}", same: always}
---
apiVersion: v1
kind: Secret
metadata: {name: fixed}
immutable: true
stringData: {version: "${version}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web-only-${version}}
---
apiVersion: ${name}.example.com/v1
kind: ${kindOf(name)}
metadata: {name: cart}
spec: {version: "${version}"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "${reference(name, version)}"}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: before, annotations: {helm.sh/hook: "pre-install,pre-upgrade,pre-rollback"}}
data: {version: "${version}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: leaving, annotations: {helm.sh/hook: "pre-delete"}}
`;

/**
 * Packs both versions of a Solution into `folder` as `<name>-<version>.iso`, signed, with the key `k.pub` beside them.
 */
export async function packShop(folder: string, name = 'shop'): Promise<void> {
  if (!existsSync(join(folder, 'k.key'))) await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  for (const version of versions) {
    const source = join(folder, `${name}-${version}`);
    const image = buildImage({
      platforms: ['linux/amd64', 'linux/arm64'],
      seed: `${name} ${version}`,
      files: { 'etc/shared': 'by all\n' },
    });
    await writeLayout(join(source, 'images'), [{ name: reference(name, version), image }]);
    writeFiles(source, {
      'solution.toml': definition(name, version),
      'base.yaml': base(name, version),
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/templates/all.yaml': chart(name, version),
    });
    await succeeds(['pack', source, '-o', `${name}-${version}.iso`, '--sign', 'k.key'], { cwd: folder });
    configure(folder, 'edge', name, version);
  }
}

/** Writes a configuration that wants a version of Solutions, and returns its name: `<configuration>-<version>.yaml`. */
export function configure(
  folder: string,
  configuration: string,
  names: string | readonly string[],
  version: Version,
): string {
  const file = `${configuration}-${version}.yaml`;
  writeFileSync(
    join(folder, file),
    `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: ${configuration}}
solutions: [${[names]
      .flat()
      .map((name) => `{name: ${name}, archives: [${name}-${version}.iso]}`)
      .join(', ')}]
`,
  );
  return file;
}
