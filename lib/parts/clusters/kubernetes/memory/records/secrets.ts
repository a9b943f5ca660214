import { sha256 } from '../../../../../../formats/digest.ts';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { HOME, MANAGED_BY } from '../../desired/index.ts';
import type { LiveObject, ObjectName } from '../../server/index.ts';

/** Whose a record is: a Solution's, or a configuration's. */
export type RecordOwner = { readonly solution: string } | { readonly configuration: string };

/** Names a record: what is remembered, and of what. */
export type RecordName = RecordOwner & {
  /** Parts with dots between them, each a DNS label: what it is about, then whose, such as `rendered.web`. */
  readonly about: string;
};

/** The label of all Secrets of a Solution's records; its value is the name of the Solution. */
const OF_SOLUTION = 'solpack.io/record-of';
/** The label of all Secrets of a configuration's records; its value is the name of the configuration. */
const OF_CONFIGURATION = 'solpack.io/record-of-configuration';
/** The label of the Secrets of one record. */
export const RECORD = 'solpack.io/record';

/** The label of the Secrets of all records of one kind; its value is the first part of what they are about. */
export const RECORD_KIND = 'solpack.io/record-kind';

/** The annotation that has in words what the record is about. */
const ABOUT = 'solpack.io/about';

/** Of which kind these Secrets are (Kubernetes, "Types of Secret"). The API lets it never change. */
const TYPE = 'solpack.io/record';
/** Most bytes in one Secret: the API takes a MiB (core/v1, `MaxSecretSize`). */
const PIECE = 900 * 1024;

/** A record as Secrets: those that hold pieces of it, and the one that names them all. */
export interface RecordSecrets {
  readonly pieces: readonly KubernetesObject[];
  /** The last one to be written: without it there is no record, and with it all of it is there. */
  readonly head: KubernetesObject;
}

/** What a head says of its record. */
export interface RecordHead {
  /** The digest of its bytes, before they were compressed. */
  readonly digest: string;
  /** The names of the Secrets that hold it, in order; empty where the head does so itself. */
  readonly pieces: readonly string[];
}

/** Returns the label that all Secrets of an owner's records have. */
export function ownerLabel(owner: RecordOwner): Readonly<Record<string, string>> {
  return 'solution' in owner ? { [OF_SOLUTION]: owner.solution } : { [OF_CONFIGURATION]: owner.configuration };
}

/** Reads whose the record of a Secret is; undefined where it does not say that. */
export function ownerOfRecord({ metadata: { labels = {} } }: LiveObject): RecordOwner | undefined {
  const { [OF_SOLUTION]: solution, [OF_CONFIGURATION]: configuration } = labels;
  if (solution !== undefined) return { solution };
  return configuration === undefined ? undefined : { configuration };
}

/** Returns the identity of the Secret that names the pieces of a record. */
export function headName(record: RecordName): ObjectName {
  const of = 'solution' in record ? `record-${record.solution}` : `configuration-record-${record.configuration}`;
  return { apiVersion: 'v1', kind: 'Secret', name: `${of}.${record.about}`, namespace: HOME };
}

/** Returns the value of the label `RECORD`: names may be longer than labels. */
export function recordLabel(record: RecordName): string {
  const of = 'solution' in record ? record.solution : `configuration ${record.configuration}`;
  return sha256(`${of}/${record.about}`).slice('sha256:'.length, 'sha256:'.length + 40);
}

/** Makes the Secrets of a record out of its compressed bytes. `digest` is that of the bytes before. */
export function secretsOf(record: RecordName, compressed: Uint8Array, digest: string): RecordSecrets {
  const { name } = headName(record);
  const make = (own: string, data: Readonly<Record<string, Uint8Array>>): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: own,
      namespace: HOME,
      labels: {
        ...MANAGED_BY,
        ...ownerLabel(record),
        [RECORD]: recordLabel(record),
        [RECORD_KIND]: record.about.split('.')[0]!,
      },
      annotations: { [ABOUT]: record.about },
    },
    type: TYPE,
    data: Object.fromEntries(
      Object.entries(data).map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')] as const),
    ),
  });
  const common = { digest: Buffer.from(digest) };
  if (compressed.length <= PIECE) return { pieces: [], head: make(name, { ...common, content: compressed }) };
  const count = Math.ceil(compressed.length / PIECE);
  // Named by what they hold, so that no piece is ever overwritten that an older head names.
  const prefix = `${name}.${digest.slice('sha256:'.length, 'sha256:'.length + 16)}`;
  const pieces = Array.from({ length: count }, (_, at) =>
    make(`${prefix}.${at}`, { content: compressed.subarray(at * PIECE, (at + 1) * PIECE) }),
  );
  const names = pieces.map(({ metadata }) => metadata.name).join(',');
  return { pieces, head: make(name, { ...common, pieces: Buffer.from(names) }) };
}

/** Reads what a head says; undefined where the object is none. */
export function headOf(live: LiveObject): RecordHead | undefined {
  const digest = dataOf(live, 'digest')?.toString();
  if (live['type'] !== TYPE || digest === undefined) return undefined;
  const names = dataOf(live, 'pieces')?.toString() ?? '';
  return { digest, pieces: names === '' ? [] : names.split(',') };
}

/** Returns what the record of a Secret is about. */
export function aboutOf({ metadata: { annotations } }: LiveObject): string {
  return annotations?.[ABOUT] ?? '';
}

/** Returns the piece of a record that a Secret holds; undefined where it holds none. */
export function contentIn(live: LiveObject): Buffer | undefined {
  return dataOf(live, 'content');
}

function dataOf({ data }: LiveObject, key: string): Buffer | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const value = (data as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
}
