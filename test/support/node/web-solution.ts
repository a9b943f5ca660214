import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { busyboxImage } from '../../../scripts/node/busybox.ts';
import { findProgram } from '../../../scripts/node/programs.ts';
import { plant } from '../../lib/parts/components/support.ts';
import { succeeds, writeFiles } from '../cli.ts';
import { writeLayout } from '../image.ts';

/**
 * A version of a Solution that brings a namespace of its name, and then a chart whose Pod takes a while to be ready.
 */
export interface WebSolution {
  readonly name: string;
  readonly version: string;
  /** Seconds until its Pod is ready; a site may set it. */
  readonly delay: number;
  /** What tells that its Pod is ready; left out: it always is. */
  readonly probe?: string;
  /** Whether a plugin comes with it, which prints the ConfigMap `printed`. */
  readonly plugin?: boolean;
}

/** The image of its Pod. */
const webImageOf = ({ name, version }: Pick<WebSolution, 'name' | 'version'>): string =>
  `registry.example.com/${name}/web:${version}`;

/**
 * Packs it into `archives/NAME-VERSION.iso` of a folder, signed with `release.key` there. Of its chart a site sets
 * `greeting`, which is in the ConfigMap `web`, `password`, whose length is there, and `delay`.
 */
export async function packWeb(folder: string, solution: WebSolution): Promise<void> {
  const { name, version } = solution;
  const own = join(folder, `${name}-${version}`);
  const reference = webImageOf(solution);
  const image = busyboxImage({ reference, command: ['/bin/sleep', '1000000'], seed: version });
  await writeLayout(join(own, 'images'), [{ name: reference, image }]);
  writeFiles(own, filesOf(solution));
  if (solution.plugin) {
    const map = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'printed', namespace: name } });
    // Images of solpack have no shell: the plugin brings its own.
    const script = `#!./busybox sh\ncase $1 in api-version) ./busybox echo v1 ;; run) ./busybox echo '${map}' ;; esac\n`;
    const busybox = readFileSync(findProgram('busybox')!);
    plant(join(own, 'printer'), { plugin: { program: script }, busybox: { program: busybox } });
  }
  const archive = `archives/${name}-${version}.iso`;
  await succeeds(['pack', `${name}-${version}`, '-o', archive, '--sign', 'release.key', '--quiet'], { cwd: folder });
}

function filesOf({ name, version, delay, probe = '/bin/true', plugin = false }: WebSolution): Record<string, string> {
  const reference = webImageOf({ name, version });
  const printer = '\n[[components]]\nname = "printer"\nkind = "plugin"\npath = "printer"\nafter = ["base"]\n';
  return {
    'solution.toml': `name = "${name}"
version = "${version}"
sequence = 1

[[images]]
reference = "${reference}"
source = "oci:images:${reference}"

[[components]]
name = "base"
kind = "kustomize"
path = "base"

[[components]]
name = "web"
kind = "helm"
path = "web"
namespace = "${name}"
after = ["base"]
${plugin ? printer : ''}`,
    'base/kustomization.yaml': 'resources: [space.yaml]\n',
    'base/space.yaml': `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`,
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml': `greeting: hello\npassword: ""\ndelay: ${delay}\n`,
    'web/templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {greeting: {{ .Values.greeting }}, length: {{ len .Values.password | quote }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: web
          image: ${reference}
          readinessProbe: {exec: {command: [${probe}]}, initialDelaySeconds: {{ .Values.delay }}, periodSeconds: 1}
`,
  };
}

/** Makes a volume of a folder of the node, and the claim `name` in a namespace that is bound to it. */
export function claimOf(name: string, namespace: string, path: string): string {
  const shared = { accessModes: ['ReadWriteMany'], storageClassName: '' };
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `${namespace}-${name}` },
      spec: { ...shared, capacity: { storage: '1Gi' }, hostPath: { path }, claimRef: { name, namespace } },
    },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace } },
      spec: { ...shared, volumeName: `${namespace}-${name}`, resources: { requests: { storage: '1Gi' } } },
    },
  ];
  return objects.map((one) => JSON.stringify(one)).join('\n---\n');
}
