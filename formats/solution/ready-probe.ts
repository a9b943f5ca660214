import { withEither, z } from '../schema.ts';

/**
 * What decides that a component is ready, in addition to its objects: an object, or several, and what has to hold of
 * each.
 */
export interface ReadyProbe {
  readonly apiVersion: string;
  readonly kind: string;
  /** The one object; undefined where `selector` says which ones. */
  readonly name?: string | undefined;
  /** Labels that objects have; there has to be one at least. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly namespace?: string | undefined;
  /** An expression of CEL over the object, as `self`. */
  readonly cel?: string | undefined;
  /** A condition of its status, `Type` or `Type=Status`. */
  readonly condition?: string | undefined;
}

const name = z.string().regex(/^[^/\s%]{1,253}$/, 'is not a name of an object');
const label = z
  .string()
  .regex(/^(?:[A-Za-z0-9][-A-Za-z0-9_.]{0,61}[A-Za-z0-9]|[A-Za-z0-9])?$/, 'is not a value of a label');

const fields = z.strictObject({
  apiVersion: z
    .string()
    .regex(/^(?:[a-z0-9][-a-z0-9.]{0,252}\/)?[a-z0-9]{1,63}$/, 'has to be an apiVersion such as example.com/v1')
    .describe('The apiVersion of the object.'),
  kind: z
    .string()
    .regex(/^[A-Z][A-Za-z0-9]{0,62}$/, 'has to be a kind such as Database')
    .describe('The kind of the object.'),
  name: name.optional().describe('The one object.'),
  selector: z
    .record(z.string().regex(/^[-A-Za-z0-9_./]{1,317}$/, 'is not a key of a label'), label)
    .refine((labels) => Object.keys(labels).length > 0, 'names no label')
    .meta({ minProperties: 1 })
    .optional()
    .describe('All objects with these labels; at least one has to exist.'),
  namespace: name
    .optional()
    .describe(
      'The namespace of the object; left out: that of the component, or "default". None for kinds outside of namespaces.',
    ),
  cel: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe('What has to be true of each, as a CEL expression over the object, "self".'),
  condition: z
    .string()
    .regex(/^[A-Za-z0-9][-A-Za-z0-9_./]{0,315}(?:=(?:True|False|Unknown))?$/, 'has to be Type, or Type=Status')
    .optional()
    .describe('A condition of its status that each has to have: Type, or Type=Status.'),
});

/** What `solution.toml` and the metadata of an archive may say of a probe. */
export const readyProbeSchema: typeof fields = withEither(
  withEither(fields, 'name', 'selector', 'has to have either name or selector'),
  'cel',
  'condition',
  'has to have either cel or condition',
);

/** What a probe asks, as messages quote it. */
export function probeQuestion({ cel, condition }: ReadyProbe): string {
  return cel ?? `condition ${condition}`;
}

/** Which objects a probe asks about: `Kind namespace/name`, or `Kind namespace/(label=value)`. */
export function probeSubject({ kind, name: one, selector = {}, namespace }: ReadyProbe): string {
  const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${one ?? `(${labels.join(',')})`}`;
}

/** The most probes of one component. */
export const MOST_PROBES = 32;
