import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatDocuments } from '../../formats/manifest/documents.ts';
import type { KubernetesObject } from '../../formats/manifest/object.ts';
import { writeFiles } from '../support/cli.ts';
import { judged } from '../support/judges.ts';
import { operatorBundle } from '../support/operator-bundles.ts';
import { sets } from '../support/sets.ts';

const { folder, packed, configured, run, told } = sets('proven-kinds');

const versions = ['v1', 'v1beta1', 'v1alpha1'].map((name) => ({
  name,
  served: name !== 'v1alpha1',
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
}));
const pots: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pots.clay.example.org' },
  spec: { group: 'clay.example.org', names: { kind: 'Pot', plural: 'pots' }, scope: 'Namespaced', versions },
};

describe('kinds that the components of a Solution define', () => {
  test('are provided by it, and meet what another one requires', async () => {
    await packed('kiln', '1.0.0-rc.1', [], [pots]);
    await packed('shop', '1.0.0', ['requires = { "clay.example.org/v1/Pot" = "*" }']);
    await packed('market', '1.0.0', ['requires = { "clay.example.org/v1alpha1/Pot" = "*" }']);
    const { relations } = await told('inspect', 'kiln-1.0.0-rc.1.iso');
    expect(relations).toEqual({
      provides: { 'clay.example.org/v1/Pot': '0.0.0', 'clay.example.org/v1beta1/Pot': '0.0.0' },
    });
    const set = configured('edge', ['kiln-1.0.0-rc.1', 'shop-1.0.0'], { shop: 'latest', kiln: '1.0.0-rc.1' });
    expect(await told('resolve', ...set)).toMatchObject({
      resolved: true,
      solutions: [
        { name: 'kiln' },
        { name: 'shop', needs: [{ kind: 'requires', name: 'clay.example.org/v1/Pot', range: '*', by: 'kiln' }] },
      ],
    });
    const none = configured('old', ['kiln-1.0.0-rc.1', 'market-1.0.0'], { market: 'latest' });
    expect(await told('resolve', ...none)).toMatchObject({ resolved: false });
  });

  test('are the same where the lock proves them, and give way to what the definition says of them', async () => {
    await packed('oven', '1.0.0', ['provides = { "clay.example.org/v1/Pot" = "3.1.0" }'], [pots]);
    const { relations } = await told('inspect', 'oven-1.0.0.iso');
    expect(relations).toMatchObject({
      provides: { 'clay.example.org/v1/Pot': '3.1.0', 'clay.example.org/v1beta1/Pot': '0.0.0' },
    });
    const again = join(folder, 'again.iso');
    const { code, stderr } = await run('pack', 'sources/oven-1.0.0', '-o', again);
    expect([code, stderr.includes('render')], stderr).toEqual([0, false]);
    expect(readFileSync(again).equals(readFileSync(join(folder, 'oven-1.0.0.iso')))).toBe(true);
  });

  judged(
    'are reported where a chart defines them with other values alone, also of what the lock proves',
    ['helm'],
    async () => {
      const crd = formatDocuments([pots]).replaceAll('"', '');
      writeFiles(join(folder, 'chart'), {
        'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
        'web/values.yaml': 'crds: false\n',
        'web/templates/crds.yaml': `{{ if .Values.crds }}\n${crd}\n{{ end }}\n`,
        'solution.toml':
          'name = "chart"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "helm"\npath = "web"\n',
      });
      const note = /web: defines kinds only with values other than .*: Pot \(clay\.example\.org\); /;
      for (const args of [
        ['check', 'chart'],
        ['pack', 'chart', '-o', 'chart.iso'],
        ['check', 'chart'],
      ]) {
        expect((await run(...args)).stderr).toMatch(note);
      }
      const set = '[provides]\n"clay.example.org/v1/Pot" = "1.0.0"\n';
      appendFileSync(join(folder, 'chart/solution.toml'), set);
      expect((await run('check', 'chart')).stderr).not.toMatch(note);
    },
  );

  judged(
    'are reported without their group where that is a value, and are provided once it is there',
    ['helm'],
    async () => {
      const crd = formatDocuments([pots]).replaceAll('"', '').replaceAll('clay.example.org', '{{ .Values.group }}');
      writeFiles(join(folder, 'valued'), {
        'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
        'web/values.yaml': 'group: ""\n',
        'web/templates/crds.yaml': `{{ if .Values.group }}\n${crd}\n{{ end }}\n`,
        'solution.toml':
          'name = "valued"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "helm"\npath = "web"\n',
      });
      const note = /web: defines kinds only with values other than .*: Pot \(whose group is a value\); /;
      expect((await run('check', 'valued')).stderr).toMatch(note);
      writeFiles(join(folder, 'valued'), { 'web/values.yaml': 'group: clay.example.org\n' });
      const { code, stderr } = await run('pack', 'valued', '-o', 'valued.iso');
      expect([code, note.test(stderr)], stderr).toEqual([0, false]);
      expect((await told('inspect', 'valued.iso'))['relations']).toEqual({
        provides: { 'clay.example.org/v1/Pot': '0.0.0', 'clay.example.org/v1beta1/Pot': '0.0.0' },
      });
    },
  );

  test('meet a bundle of an operator that requires them, in an archive of the same configuration', async () => {
    const owned = [{ name: 'caches.cache.example.com', version: 'v1', kind: 'Cache' }];
    const required = [{ name: 'pots.clay.example.org', version: 'v1', kind: 'Pot' }];
    const bundle = operatorBundle({ spec: { customresourcedefinitions: { owned, required } } });
    const files = Object.entries(bundle).map(([path, text]) => [`bundle/${path}`, text]);
    const allowed = 'external-images = ["registry.example.com/cache/*"]\n';
    writeFiles(join(folder, 'cached'), {
      ...Object.fromEntries(files),
      'solution.toml': `name = "cached"\nversion = "1.0.0"\n${allowed}[[components]]\nname = "cache"\nkind = "registry+v1"\npath = "bundle"\n`,
    });
    const { code, stderr } = await run('pack', 'cached', '-o', 'cached-1.0.0.iso');
    expect(code, stderr).toBe(0);
    await packed('kiln', '2.0.0', [], [pots]);
    const met = configured('met', ['kiln-2.0.0', 'cached-1.0.0'], { kiln: 'latest', cached: 'latest' });
    expect(await told('resolve', ...met)).toMatchObject({
      resolved: true,
      solutions: [
        { name: 'kiln' },
        { name: 'cached', needs: [{ kind: 'requires', name: 'clay.example.org/v1/Pot', range: '*', by: 'kiln' }] },
      ],
    });
    const alone = configured('alone', ['cached-1.0.0'], { cached: 'latest' });
    expect(await told('resolve', ...alone)).toMatchObject({ resolved: false });
  });
});
