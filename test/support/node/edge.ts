import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { busyboxImage } from '../../../scripts/node/busybox.ts';
import { writeFiles } from '../cli.ts';
import { packHere } from '../flow.ts';
import { writeLayout } from '../image.ts';

/** The registry that images of the Solution are of. */
export const registry = 'registry.example.com';
/** One of another registry, whose name has a port; no object uses it. */
export const tool = 'other.example.com:5000/edge/tool:1';

/** The image of a version's Pods. */
export const webImage = (version: string): string => `${registry}/edge/web:${version}`;

const labels = { app: 'web' };

/** Pods that serve a page with the title `Edge VERSION`, one on each node, and a Service in front of them. */
function objects(version: string): object[] {
  const container = {
    name: 'web',
    image: webImage(version),
    readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
    // Requests come for a moment after a Pod was interrupted.
    lifecycle: { preStop: { exec: { command: ['/bin/sleep', '4'] } } },
  };
  const metadata = { name: 'web', namespace: 'edge' };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'edge' } },
    {
      ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata },
      spec: {
        selector: { matchLabels: labels },
        updateStrategy: { rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 } },
        template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 6, containers: [container] } },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
    },
  ];
}

/**
 * Packs versions of the Solution `edge` into `folder`, as `edge-VERSION.iso`, with configurations `edge-VERSION.yaml`.
 */
export async function packEdge(folder: string, versions: readonly string[]): Promise<void> {
  for (const version of versions) {
    const place = join(folder, version);
    mkdirSync(place);
    const command = ['/bin/httpd', '-f', '-p', '8080', '-h', '/www'];
    // It takes a while until a node has all of a later version.
    const pad = randomBytes((version === versions[0] ? 1 : 32) * 1024 * 1024).toString('base64');
    const files = { 'www/index.html': `<title>Edge ${version}</title>`, 'www/pad': pad };
    const images = [
      { name: webImage(version), image: busyboxImage({ reference: webImage(version), command, files }) },
      { name: tool, image: busyboxImage({ reference: tool, command: ['/bin/sleep', '1000000'], seed: 'tool' }) },
    ];
    await writeLayout(join(place, 'images'), images);
    const named = images.map(({ name }) => `[[images]]\nreference = "${name}"\nsource = "oci:images:${name}"\n`);
    const component = '[[components]]\nname = "web"\nkind = "manifests"\npath = "web.yaml"\n';
    writeFiles(place, {
      'solution.toml': [`name = "edge"\nversion = "${version}"\n`, ...named, component].join('\n'),
      'web.yaml': objects(version)
        .map((one) => stringify(one))
        .join('---\n'),
    });
    await packHere(join(place, 'solution.toml'), join(folder, `edge-${version}.iso`));
    const head = { apiVersion: 'solutions.metalk8s.scality.com/v1alpha1', kind: 'SolutionsConfiguration' };
    const solutions = [{ name: 'edge', archives: [`edge-${version}.iso`] }];
    writeFileSync(join(folder, `edge-${version}.yaml`), stringify({ ...head, metadata: { name: 'edge' }, solutions }));
  }
}
