import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { judged, scratch } from '../support/judges.ts';

const folder = scratch('api-versions');
const has = (api: string, text: string): string =>
  `{{ if .Capabilities.APIVersions.Has "${api}" }}\n${text}{{ end }}\n`;
const monitor =
  'apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: web}\nspec: {image: registry.example.com/exporter:1}\n';
const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n';
const definition =
  'name = "shop"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "helm"\npath = "web"\nnamespace = "default"\n';

/**
 * A definition whose chart asks for a kind that nobody brings, for one of Kubernetes, and in a chart that is switched
 * off.
 */
function defined(name: string, more = '', files: Readonly<Record<string, string>> = {}): string {
  const home = join(folder, name);
  writeFiles(home, {
    'solution.toml': definition + more,
    'web/Chart.yaml':
      'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: spare, version: 1.0.0, condition: spare.enabled}]\n',
    'web/values.yaml': 'spare: {enabled: false}\n',
    'web/templates/a.yaml': map,
    'web/templates/monitor.yaml': has('monitoring.coreos.com/v1', monitor) + has('policy/v1beta1', ''),
    'web/charts/spare/Chart.yaml': 'apiVersion: v2\nname: spare\nversion: 1.0.0\n',
    'web/charts/spare/templates/a.yaml': has('off.example.com/v1', map),
    ...files,
  });
  return home;
}

const note =
  /web: asks for APIs that neither Kubernetes nor the Solution provides, .*: (.*); --api-versions, or the kind/;

async function told(args: readonly string[]): Promise<string | undefined> {
  const { code, stderr } = await solpack(args);
  expect(code, stderr).toBe(0);
  return note.exec(stderr)?.[1];
}

describe('APIs that templates ask for and nobody brings', () => {
  judged(
    'are reported by check, images and pack, with the template, also of what the lock proves',
    ['helm'],
    async () => {
      const home = defined('told');
      const asked = 'monitoring.coreos.com/v1 (web/templates/monitor.yaml)';
      expect(await told(['images', home])).toBe(asked);
      expect(await told(['pack', home, '-o', join(folder, 'told.iso')])).toBe(asked);
      expect(await told(['check', home])).toBe(asked);
    },
  );

  judged(
    'are there if --api-versions says so, for rendering and for the kinds that are brought',
    ['helm'],
    async () => {
      const home = defined('given');
      await succeeds(['pack', home, '-o', join(folder, 'given.iso')]);
      for (const given of ['monitoring.coreos.com/v1', 'example.com/v1,monitoring.coreos.com/v1']) {
        const { code, stdout, stderr } = await solpack(['check', home, '--api-versions', given, '--json']);
        expect([code, note.test(stderr)]).toEqual([0, false]);
        expect(JSON.parse(stdout).images).toEqual([
          expect.objectContaining({ reference: 'registry.example.com/exporter:1' }),
        ]);
      }
      const listed = await succeeds(['images', home, '--api-versions', 'monitoring.coreos.com/v1']);
      expect(listed).toContain('registry.example.com/exporter:1');
      const iso = join(folder, 'given-2.iso');
      const strict = await solpack(['pack', home, '-o', iso, '--strict', '--api-versions', 'monitoring.coreos.com/v1']);
      expect([strict.code, strict.stderr]).toEqual([2, expect.stringContaining('[image-likely]')]);
    },
  );

  judged('are there if the definition requires or provides the kind, or a component defines it', ['helm'], async () => {
    const kind = '"monitoring.coreos.com/v1/ServiceMonitor"';
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: servicemonitors.monitoring.coreos.com}
spec:
  group: monitoring.coreos.com
  names: {kind: ServiceMonitor, plural: servicemonitors}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`;
    const component = '[[components]]\nname = "kinds"\nkind = "manifests"\npath = "crd.yaml"\n';
    for (const [name, more] of [
      ['requires', `[requires]\n${kind} = "*"\n`],
      ['provides', `[provides]\n${kind} = "1.0.0"\n`],
      ['defines', component],
    ] as const) {
      const home = defined(name, more, { 'crd.yaml': crd });
      const { code, stdout, stderr } = await solpack(['check', home, '--json']);
      expect([code, note.test(stderr)], stderr).toEqual([0, false]);
      expect(JSON.parse(stdout).images, name).toHaveLength(1);
    }
  });
});
