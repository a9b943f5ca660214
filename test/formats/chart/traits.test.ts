import { describe, expect, test } from 'vitest';
import type { ChartTraits } from '../../../formats/chart/text-traits.ts';
import { chartTraits } from '../../../formats/chart/traits.ts';
import { all, packed } from './support.ts';

/** The traits of a chart with some files, all below its folder. */
function traitsOf(files: Readonly<Record<string, string | Buffer>>): Promise<ChartTraits> {
  return chartTraits(chartOf(files));
}

function chartOf(files: Readonly<Record<string, string | Buffer>>): ReturnType<typeof packed> {
  return packed(Object.entries(files).map(([path, content]) => ({ path: `web/${path}`, content })));
}

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names:
    kind: Widget
    plural: widgets
  versions:
  - name: v1
    served: true
  - additionalPrinterColumns: []
    name: v1beta1
`;

describe('chartTraits', () => {
  test('finds nothing in a chart that depends on its values alone', async () => {
    const files = {
      'templates/a.yaml': 'a: {{ .Values.a }}\nb: {{ .Capabilities.KubeVersion }}\n',
      'README.md': 'now',
    };
    expect(await traitsOf(files)).toEqual({ asksKinds: false, looksUp: false, draws: false, defines: [] });
  });

  test.each<[keyof ChartTraits, string]>([
    ['asksKinds', '{{ if .Capabilities.APIVersions.Has "v1" }}'],
    ['asksKinds', '{{ $all := .Capabilities }}'],
    ['looksUp', '{{ (lookup "v1" "Secret" "" "").items }}'],
    ['draws', '{{ randAlphaNum 12 }}'],
    ['draws', '{{ $ca := genCA "ca" 365 }}'],
    ['draws', '{{ now | date "2006" }}'],
  ])('finds %s by %s, in the chart and in those within it', async (trait, text) => {
    expect((await traitsOf({ 'templates/a.yaml': text }))[trait]).toBe(true);
    expect((await traitsOf({ 'values.yaml': `a: '${text}'\n` }))[trait]).toBe(true);
    const inner = Buffer.from(await all(chartOf({ 'templates/_a.tpl': text })));
    expect((await traitsOf({ 'charts/inner-1.0.0.tgz': inner }))[trait]).toBe(true);
  });

  test('takes prose about the present for nothing', async () => {
    const { draws } = await traitsOf({ 'templates/a.yaml': '# it is now gone\n# {{- /* nothing */}}\n' });
    expect(draws).toBe(false);
  });

  test('tells what the definitions of the chart define, without what it renders', async () => {
    const { defines, draws } = await traitsOf({
      'crds/a.yaml': `${definition}---\n${definition.replace('Widget', '"Gadget"')}`,
    });
    const of = (kind: string): string[] =>
      ['v1', 'v1beta1'].flatMap((version) => [`example.com/${version}`, `example.com/${version}/${kind}`]);
    expect([defines, draws]).toEqual([[...of('Widget'), ...of('Gadget')], false]);
  });
});
