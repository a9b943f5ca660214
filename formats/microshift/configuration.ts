import { text } from '../bytes.ts';
import { type Problem, problemsOf } from '../document/problems.ts';
import { isRecord } from '../record.ts';
import { judged } from '../schema-words.ts';
import { readConfigurationSource } from '../solution/configuration-source.ts';
import { microshiftSchema } from './schema.ts';

/** A file of MicroShift's configuration. */
export interface MicroshiftFile {
  /** The path, as messages name it. */
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A setting, and where it is made. */
export interface MicroshiftSetting {
  /** Lists are joined by commas. */
  readonly value: string;
  readonly path: string;
  /** The field, such as `network.serviceNodePortRange`. */
  readonly field: string;
}

/** Names of variables of the plugin convention, without `MICROSHIFT_`. */
export type MicroshiftVariable = keyof typeof fields;

/** By variables: the fields that say them, those of today before those of MicroShift 4.12 and older. */
const fields = {
  BASEDOMAIN: ['dns.baseDomain', 'baseDomain'],
  CLUSTER_CLUSTERCIDR: ['network.clusterNetwork', 'cluster.clusterCIDR'],
  CLUSTER_SERVICECIDR: ['network.serviceNetwork', 'cluster.serviceCIDR'],
  CLUSTER_SERVICENODEPORTRANGE: ['network.serviceNodePortRange', 'cluster.serviceNodePortRange'],
  CLUSTER_URL: ['cluster.url'],
  LOGVLEVEL: ['debugging.logLevel', 'logVLevel'],
  NODEIP: ['node.nodeIP', 'nodeIP'],
  NODENAME: ['node.hostnameOverride', 'nodeName'],
  SUBJECTALTNAMES: ['apiServer.subjectAltNames', 'subjectAltNames'],
} as const;

/** What MicroShift takes where its files say nothing, of what nothing else tells. */
export const microshiftDefaults: Readonly<Partial<Record<MicroshiftVariable, string>>> = {
  BASEDOMAIN: 'example.com',
  CLUSTER_SERVICENODEPORTRANGE: '30000-32767',
  LOGVLEVEL: 'Normal',
};

/**
 * Reads a file of MicroShift's configuration, a `config.yaml` or a drop-in, with the fields of today and of MicroShift
 * 4.12 and older. What tells no variable is not looked at. Throws `FormatError` `yaml-invalid`, with line and column.
 */
export function parseMicroshift(path: string, bytes: Uint8Array): MicroshiftFile {
  const { value, refuse } = readConfigurationSource(text(bytes, 'yaml-invalid'));
  if (value === null || value === undefined) return { path, value: {} };
  const parsed = judged(microshiftSchema, value, 'YAML');
  if (!parsed.success) throw refuse(problemsOf(parsed.error, () => []) as Problem[]);
  return { path, value: parsed.data };
}

/**
 * Finds what files say of each variable, the later ones over the earlier, as a JSON merge patch (RFC 7396) would: lists
 * are replaced, and null takes away. What is empty says nothing.
 */
export function microshiftSettings(
  files: readonly MicroshiftFile[],
): Partial<Record<MicroshiftVariable, MicroshiftSetting>> {
  const found = Object.entries(fields).flatMap(([name, own]) => {
    for (const field of own) {
      const last = files.findLast(({ value }) => fieldOf(value, field) !== undefined);
      const value = last && fieldOf(last.value, field);
      const said = value === undefined || value === null ? '' : wordsOf(field, value);
      if (last !== undefined && said !== '') return [[name, { value: said, path: last.path, field }]];
    }
    return [];
  });
  return Object.fromEntries(found);
}

/** The value of a field; undefined where nothing is said of it, and null where that is taken away. */
function fieldOf(value: unknown, field: string): unknown {
  let at = value;
  for (const name of field.split('.')) {
    if (at === null) return null;
    at = isRecord(at) ? at[name] : undefined;
  }
  return at;
}

function wordsOf(field: string, value: unknown): string {
  if (field === 'logVLevel') return levelOf(Number(value));
  if (field === 'debugging.logLevel')
    return levels.find((one) => one.toLowerCase() === String(value).toLowerCase()) ?? 'Normal';
  if (!Array.isArray(value)) return String(value);
  const words = value.map((one) => (isRecord(one) ? String(one['cidr']) : String(one)));
  // The file that MicroShift comes with has a list of one empty name.
  return words.filter((one) => one !== '').join(',');
}

const levels = ['Normal', 'Debug', 'Trace', 'TraceAll'];

/** The word for a level of klog: `Debug` is 4, `Trace` 6, and `TraceAll` 8. */
function levelOf(level: number): string {
  return level >= 8 ? 'TraceAll' : level >= 6 ? 'Trace' : level >= 4 ? 'Debug' : 'Normal';
}
