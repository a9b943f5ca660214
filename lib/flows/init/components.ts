import { basename, dirname, join } from 'node:path';
import { slice } from '../../../formats/bytes.ts';
import { type ChartMetadata, parseChartMetadata } from '../../../formats/chart/metadata.ts';
import { readChart } from '../../../formats/chart/read.ts';
import { FormatError } from '../../../formats/error.ts';
import type { NewComponent } from '../../../formats/solution/new-definition.ts';
import { lend } from '../../kernel/events/index.ts';
import { openFile, readFile } from '../../kernel/files/index.ts';
import { asLabel, type FoundParts, type FoundPath } from './found.ts';

/** What the author has to know of components of some kinds. */
const remarks: Readonly<Partial<Record<NewComponent['kind'], readonly string[]>>> = {
  'registry+v1': [
    'A bundle of the format registry+v1. Its operator runs without the Operator Lifecycle Manager.',
    'set = { watchNamespaces = ["NAME"] } says which namespaces that watches.',
  ],
};

/** Adds the component of a kind that lies at a path. */
export function addComponent(kind: Exclude<NewComponent['kind'], 'helm'>, path: string, found: FoundParts): void {
  const notes = remarks[kind] ?? [];
  add({ name: asLabel(basename(path).replace(/\.(?:ya?ml|json)$/, '')), kind, path, values: [], notes }, found);
}

/** Adds the chart that a folder or a file is. Returns false for what is none. */
export async function addChart({ full, path }: FoundPath, isFolder: boolean, found: FoundParts): Promise<boolean> {
  let metadata: ChartMetadata;
  try {
    metadata = isFolder ? parseChartMetadata(await readFile(join(full, 'Chart.yaml'))) : await packedMetadata(full);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    if (isFolder) found.left.push({ path, reason: `not a chart that can be read: ${error.message}` });
    return isFolder;
  }
  if (metadata.type === 'library') found.left.push({ path, reason: 'a library chart, which other charts use' });
  else add({ name: asLabel(metadata.name), kind: 'helm', path, values: [], notes: [] }, found);
  return true;
}

async function packedMetadata(path: string): Promise<ChartMetadata> {
  return lend(await openFile(path), async (file) => (await readChart(slice(file, 0, file.size), true)).metadata);
}

/**
 * Gives charts the files of values that are named after them: `values-NAME.yaml`, `NAME.values.yaml`, or one beside one
 * chart.
 */
export function withValues({ components, left, values }: FoundParts): Pick<FoundParts, 'components' | 'left'> {
  const charts = components.filter(({ kind }) => kind === 'helm');
  const rest = new Set(values);
  const given = components.map((one) => {
    if (one.kind !== 'helm') return one;
    const own = values.filter(
      (path) => isNamedAfter(path, one.name) || (charts.length === 1 && isBeside(path, one.path)),
    );
    for (const path of own) rest.delete(path);
    return { ...one, values: own };
  });
  const others = [...rest].filter((path) => !path.endsWith('.json'));
  return { components: given, left: [...left, ...others.map((path) => ({ path, reason: 'no Kubernetes objects' }))] };
}

function isNamedAfter(path: string, chart: string): boolean {
  const name = asLabel(basename(path).replace(/\.(?:ya?ml|json)$/, ''));
  return name === `values-${chart}` || name === `${chart}-values`;
}

function isBeside(path: string, chart: string): boolean {
  return /^values\.ya?ml$/.test(basename(path)) && (dirname(path) === dirname(chart) || dirname(path) === '.');
}

function add(component: NewComponent, { components }: FoundParts): void {
  const taken = new Set(components.map(({ name }) => name));
  let { name } = component;
  for (let count = 2; taken.has(name); count += 1) name = `${component.name.slice(0, 60)}-${count}`;
  components.push({ ...component, name });
}
