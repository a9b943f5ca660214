import { expect, test } from 'vitest';
import { chartMentions } from '../../../formats/chart/mentions.ts';
import { all, packed } from './support.ts';

const has = (api: string): string => `{{- if .Capabilities.APIVersions.Has "${api}" }}a: b{{ end }}\n`;

test('the APIs that templates ask for are those of their literal names, with their place as Helm names it', async () => {
  const library = await all(
    packed([
      { path: 'common/Chart.yaml', content: 'apiVersion: v2\nname: common\ntype: library\n' },
      { path: 'common/templates/_common.tpl', content: has('a.example.com/v1') },
    ]),
  );
  const chart = packed([
    { path: 'web/Chart.yaml', content: 'apiVersion: v2\nname: web\n' },
    { path: 'web/values.yaml', content: has('values.example.com/v1') },
    {
      path: 'web/templates/a.yaml',
      content:
        `{{/* ${has('comment.example.com/v1')} */}}${has('b.example.com/v1/Kind')}${has('b.example.com/v1/Kind')}` +
        '{{ if $.Capabilities.APIVersions.Has (`c.example.com/v1`) }}{{ end }}{{ .Capabilities.APIVersions.Has .Values.api }}',
    },
    { path: 'web/templates/NOTES.txt', content: has('notes.example.com/v1') },
    { path: 'web/charts/common-1.0.0.tgz', content: Buffer.from(library) },
    { path: 'web/charts/db/templates/db.yaml', content: has('d.example.com/v1') },
  ]);
  const template = 'web/templates/a.yaml';
  const { asks } = await chartMentions(chart);
  expect(asks).toEqual([
    { api: 'b.example.com/v1/Kind', template, chart: 'web', library: false },
    { api: 'c.example.com/v1', template, chart: 'web', library: false },
    {
      api: 'a.example.com/v1',
      template: 'web/charts/common/templates/_common.tpl',
      chart: 'web/charts/common',
      library: true,
    },
    { api: 'd.example.com/v1', template: 'web/charts/db/templates/db.yaml', chart: 'web/charts/db', library: false },
  ]);
});

test('the kinds that templates define are those of their text, whatever switches them on', async () => {
  const crd = (kind: string): string =>
    `kind: CustomResourceDefinition\nmetadata:\n  name: a\nspec:\n  group: example.com\n  names:\n    kind: ${kind}\n`;
  const chart = packed([
    {
      path: 'web/templates/crds.yaml',
      content: `{{ if .Values.crds }}\n${crd('Widget')}---\n${crd('Gadget')}{{ end }}\n`,
    },
    { path: 'web/templates/a.yaml', content: 'kind: ConfigMap\n' },
    { path: 'web/crds/a.yaml', content: crd('Always') },
  ]);
  expect(await chartMentions(chart)).toEqual({ asks: [], defines: ['example.com/Widget', 'example.com/Gadget'] });
});

test('of a kind whose group a value says, the kind alone is known', async () => {
  const crd = (group: string): string =>
    `kind: CustomResourceDefinition\nspec:\n  group: ${group}\n  names:\n    kind: Pot\n`;
  const groups = ['{{ .Values.group }}', '"{{ .Values.group }}"', 'clay.{{ .Values.domain }}', '{{- .Values.group }}'];
  for (const group of groups) {
    const chart = packed([{ path: 'web/templates/crds.yaml', content: crd(group) }]);
    expect((await chartMentions(chart)).defines, group).toEqual(['*/Pot']);
  }
});
