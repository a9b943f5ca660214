import { gzipSync } from 'node:zlib';
import { once } from '../../../formats/bytes.ts';
import { checkValues } from '../../../formats/chart/check-values.ts';
import { valuesChart } from '../../../formats/chart/default-values.ts';
import { parseIgnore } from '../../../formats/chart/ignore.ts';
import { parseChartMetadata, parseRequirements } from '../../../formats/chart/metadata.ts';
import { readChart } from '../../../formats/chart/read.ts';
import { readStoredRelease } from '../../../formats/chart/stored-release.ts';
import { readChartValues } from '../../../formats/chart/values.ts';
import { inPieces, parsers } from '../parser.ts';
import type { Random } from '../random.ts';
import { damagedTar, type Member, tarOf } from '../tar-members.ts';
import { must, refusalOf } from '../violation.ts';

const metadata = [
  'apiVersion: v2\nname: web\nversion: 1.2.3\nappVersion: "4"\ntype: application\nkubeVersion: ">=1.20"\nkeywords: [a, b]\n',
  'dependencies:\n- name: common\n  version: 2.x.x\n  repository: https://example.com/charts\n  condition: common.enabled\n',
].join('');
const requirements = 'dependencies:\n- name: common\n  version: ^1.0.0\n  repository: "@stable"\n  alias: c\n';
const ignore = '# comment\n*.bak\n/docs/\n*/x\n[a-z]?\n';
const inner: readonly Member[] = [
  { name: 'common/Chart.yaml', body: 'apiVersion: v2\nname: common\nversion: 2.0.0\n' },
];
const members: readonly Member[] = [
  { name: 'web/Chart.yaml', body: metadata },
  { name: 'web/values.yaml', body: 'replicas: 1\ndeep: {er: [a], empty: {}}\ncommon: {size: 1}\n' },
  { name: 'web/values.schema.json', body: '{"properties": {"replicas": {"type": "integer"}}}' },
  { name: 'web/templates/a.yaml', body: 'kind: {{ .Values.kind }}\n' },
  { name: 'web/requirements.yaml', body: requirements },
  { name: 'web/charts/other/Chart.yaml', body: 'apiVersion: v1\nname: other\nversion: 0.1.0\n' },
  { name: 'web/charts/common-2.0.0.tgz', body: gzipSync(tarOf(inner), { level: 1 }) },
];

const release = JSON.stringify({
  name: 'a',
  info: { status: 'deployed' },
  chart: { metadata: { name: 'c', version: '1.0.0', appVersion: 'v2.0.0' } },
  config: { password: 'x' },
});

/** Packed charts, and what lies in them. */
export const charts = parsers(
  'charts',
  40,
  'apiVersion: v1¦dependencies:¦- name: a¦version: ¦>=1.2.3-0 <2 || ^3¦~1¦**/¦[!a-z]¦{a,b}¦*?¦\\',
  {
    chart: {
      samples: [tarOf(members)],
      damage: damagedTar(members),
      wraps: [(bytes) => gzipSync(bytes, { level: 1 })],
      read: readPacked,
    },
    metadata: { samples: [metadata], read: (bytes) => void parseChartMetadata(bytes) },
    requirements: { samples: [requirements], read: (bytes) => void parseRequirements(bytes) },
    ignore: { samples: [ignore], read: readIgnore },
    release: {
      samples: [release],
      wraps: [(bytes) => gzipSync(bytes, { level: 1 })],
      read: (bytes) => void readStoredRelease(bytes.toString('base64')),
    },
  },
);

/** Reads a chart in one piece and in many, and compares the results. */
async function readPacked(bytes: Buffer, random: Random): Promise<string | undefined> {
  const whole = await refusalOf(() => readChart(once(bytes)));
  const pieces = await refusalOf(() => readChart(inPieces(bytes, random)));
  const texts = [whole, pieces].map(({ code, value }) => code ?? JSON.stringify(value));
  must(texts[0] === texts[1], 'a chart is read otherwise where its chunks end elsewhere');
  if (whole.code === undefined) {
    const chart = valuesChart(await readChartValues(once(bytes)));
    const site = {
      replicas: 'x',
      deep: { er: 1, unknown: 1, empty: { a: 1 } },
      common: { size: 2 },
      tags: { a: 1 },
      n: 1,
    };
    for (const { message } of checkValues(chart, [{ n: 0 }], site)) must(message !== '', 'nothing is said');
  }
  return whole.code;
}

function readIgnore(bytes: Buffer): void {
  const ignored = parseIgnore(bytes.toString());
  for (const path of ['docs', 'a/x', 'a.bak', 'keep.md', 'a'.repeat(200)]) ignored(path, path === 'docs');
}
