import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { ok } from './judges.ts';

/** What a small chart is to say. */
export interface SmallChart {
  readonly name: string;
  readonly version: string;
  /** `dependencies` of Chart.yaml. */
  readonly dependencies?: readonly Readonly<Record<string, unknown>>[];
}

/** Writes a chart of one ConfigMap, which has its version and the value `note`, into `folder`, and returns that. */
export function writeChart(folder: string, { name, version, dependencies }: SmallChart): string {
  const files = {
    'Chart.yaml': stringify({ apiVersion: 'v2', name, version, ...(dependencies ? { dependencies } : {}) }),
    'values.yaml': 'note: none\n',
    'templates/map.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-{{ .Chart.Name }}
data:
  version: {{ .Chart.Version | quote }}
  note: {{ .Values.note | quote }}
`,
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Packs such a chart by helm, into the folder `into`. Returns the path of the file. */
export async function packageChart(work: string, into: string, chart: SmallChart): Promise<string> {
  const folder = writeChart(join(work, `${chart.name}-${chart.version}`, chart.name), chart);
  mkdirSync(into, { recursive: true });
  await ok('helm', ['package', folder, '--destination', into]);
  return join(into, `${chart.name}-${chart.version}.tgz`);
}
