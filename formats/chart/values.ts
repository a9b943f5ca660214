import { type Bytes, collect } from '../bytes.ts';
import { gunzip } from './gunzip.ts';
import { chartLimits } from './limits.ts';
import { type ChartDependency, parseChartMetadata, parseRequirements } from './metadata.ts';
import { untar } from './untar.ts';
import { SCHEMA_NAME } from './values-schema.ts';

/** What a chart says of the values that it takes, with what the charts in it say. */
export interface ChartValues {
  readonly name: string;
  /** `values.yaml`; undefined where there is none. */
  readonly values: Uint8Array | undefined;
  /** `values.schema.json`; undefined where there is none. */
  readonly schema: Uint8Array | undefined;
  /** What it needs: `dependencies` of Chart.yaml, or for `apiVersion: v1` those of requirements.yaml. */
  readonly dependencies: readonly ChartDependency[];
  /** What lies in its `charts` folder. */
  readonly charts: readonly ChartValues[];
}

/** How deep charts may be packed in each other. */
const DEPTH = 16;

const wanted: readonly string[] = ['Chart.yaml', 'requirements.yaml', 'values.yaml', SCHEMA_NAME];

/** A chart that is being read. */
interface Draft {
  readonly files: Map<string, Uint8Array>;
  readonly folders: Map<string, Draft>;
  readonly packed: ChartValues[];
}

/**
 * Reads what a packed chart, and all charts in it, say of their values (Helm, "Charts": Schema Files, Scope,
 * Dependencies and Values). Throws `FormatError` `chart-invalid`.
 */
export function readChartValues(bytes: Bytes): Promise<ChartValues> {
  return read(bytes, { left: chartLimits.total }, 0);
}

async function read(bytes: Bytes, budget: { left: number }, depth: number): Promise<ChartValues> {
  const root = newDraft();
  for await (const file of untar(gunzip(bytes, budget))) {
    let draft = root;
    let [, ...names] = file.path.split('/');
    while (isBelowCharts(names) && names.length > 2) {
      const next = draft.folders.get(names[1]!) ?? newDraft();
      draft.folders.set(names[1]!, next);
      draft = next;
      names = names.slice(2);
    }
    const [name, packed] = names;
    if (names.length === 1 && wanted.includes(name!)) {
      draft.files.set(name!, await collect(file.body, chartLimits.file));
    } else if (isBelowCharts(names) && packed?.endsWith('.tgz') && depth < DEPTH) {
      draft.packed.push(await read(file.body, budget, depth + 1));
    }
  }
  return chartOf(root)!;
}

function newDraft(): Draft {
  return { files: new Map(), folders: new Map(), packed: [] };
}

/** Whether a path leads into a chart in `charts`; Helm leaves out names that begin with `_` or `.`. */
function isBelowCharts([top, name]: readonly string[]): boolean {
  return top === 'charts' && name !== undefined && !/^[_.]/.test(name);
}

/** The chart that files make; undefined where they have no Chart.yaml. */
function chartOf({ files, folders, packed }: Draft): ChartValues | undefined {
  const file = files.get('Chart.yaml');
  if (file === undefined) return undefined;
  const { name, apiVersion, dependencies } = parseChartMetadata(file);
  const requirements = files.get('requirements.yaml');
  const required = apiVersion === 'v2' ? dependencies : requirements && parseRequirements(requirements);
  return {
    name,
    values: files.get('values.yaml'),
    schema: files.get(SCHEMA_NAME),
    dependencies: required ?? [],
    charts: [...packed, ...[...folders.values()].flatMap((one) => chartOf(one) ?? [])],
  };
}
