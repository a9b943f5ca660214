import { text } from '../bytes.ts';
import { among, locateProblems } from '../document/fields.ts';
import { type Problem, problemsOf } from '../document/problems.ts';
import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { PositionedError } from '../error.ts';
import { RESERVED_NAMESPACE } from '../manifest/reserved.ts';
import { formatReference, parseReference } from '../oci/reference.ts';
import { z } from '../schema.ts';
import { TextLines } from '../text-lines.ts';
import { componentKinds } from './component-kinds.ts';
import { durationWords, isDuration, parseDuration } from './duration.ts';
import { instantSchema } from './instant.ts';
import { labelSchema, semVerSchema } from './names.ts';

const reference = z
  .string()
  .refine(isReference, 'is not an image reference such as registry.example.com/app/web:1.0.0');

const image = z.strictObject({
  reference,
  source: z.string().min(1).optional(),
  platforms: z
    .array(
      z.string().regex(/^[a-z0-9]+\/[a-z0-9_]+(?:\/[a-z0-9.]+)?$/, 'has to be os/architecture, such as linux/arm64'),
    )
    .min(1)
    .optional(),
  select: z.enum(['sparse', 'index']).optional(),
  referrers: z.boolean().optional(),
  'foreign-layers': z.enum(['refuse', 'fetch']).optional(),
  sbom: z.string().min(1).optional(),
});

const component = z.strictObject({
  name: labelSchema,
  kind: z.enum(componentKinds),
  path: z.string().min(1),
  values: z.array(z.string().min(1)).optional(),
  namespace: labelSchema.refine((value) => value !== RESERVED_NAMESPACE, 'is for solpack alone').optional(),
  after: z.array(z.string()).optional(),
  timeout: z.string().refine(isDuration, durationWords).optional(),
});

const definition = z.strictObject({
  name: labelSchema,
  version: semVerSchema,
  sequence: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  created: instantSchema.optional(),
  expires: instantSchema.optional(),
  description: z.string().optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  operator: reference.optional(),
  sbom: z.string().min(1).optional(),
  'make-sboms': z.boolean().optional(),
  images: z.array(image).optional(),
  components: z.array(component).optional(),
});

const knownFields: Record<string, readonly string[]> = {
  '': Object.keys(definition.shape),
  images: Object.keys(image.shape),
  components: Object.keys(component.shape),
};

/** Describes an image as `solution.toml` names it. */
export interface ImageDefinition {
  /** The name that manifests use, with its registry spelled out. */
  readonly reference: string;
  /** Where the image is taken from, in the syntax of containers-transports(5). */
  readonly source: string;
  /** Each is `os/architecture[/variant]`; undefined means all platforms of the source. */
  readonly platforms: readonly string[] | undefined;
  /** `sparse` keeps the index unchanged although some of its children are left out; `index` makes a new one of those that stay. */
  readonly select: 'sparse' | 'index';
  /** Whether the image's signatures, SBOMs and attestations are packed too. */
  readonly referrers: boolean;
  /** What happens to foreign layers, which no registry holds. */
  readonly foreignLayers: 'refuse' | 'fetch';
  /** The path of a file with the image's SBOM. */
  readonly sbom: string | undefined;
}

/** Describes a component as `solution.toml` names it. */
export interface ComponentDefinition {
  readonly name: string;
  readonly kind: (typeof componentKinds)[number];
  readonly path: string;
  readonly values: readonly string[];
  readonly namespace: string | undefined;
  readonly after: readonly string[];
  /** Seconds within which the component has to become ready; undefined leaves the choice to the operator. */
  readonly timeout: number | undefined;
}

/** Holds what the author of a Solution writes in `solution.toml`. */
export interface Definition {
  readonly name: string;
  readonly version: string;
  /** A number that rises with each release. After a higher one was installed, a lower one is refused. */
  readonly sequence: number | undefined;
  /** Seconds since 1970. Every date in the archive is this one, unless SOURCE_DATE_EPOCH says otherwise. */
  readonly created: number | undefined;
  /** Seconds since 1970. From then on the Solution cannot be installed. */
  readonly expires: number | undefined;
  readonly description: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** The reference of the image that MetalK8s runs as the operator. */
  readonly operator: string | undefined;
  /** The path of a file with the SBOM of the Solution itself. */
  readonly sbom: string | undefined;
  /** Whether solpack makes an SBOM for each image that has none. */
  readonly makeSboms: boolean;
  readonly images: readonly ImageDefinition[];
  /** Sorted so that each component comes after all those that it waits for. */
  readonly components: readonly ComponentDefinition[];
}

/** Reads `solution.toml`. Throws `PositionedError` `toml-invalid` with position and field of everything that is wrong. */
export function parseDefinition(bytes: Uint8Array): Definition {
  const source = text(bytes, 'toml-invalid');
  const value = parseToml(source, 'toml-invalid');
  const parsed = definition.safeParse(value, { reportInput: true });
  if (!parsed.success) throw located(source, problemsOf(parsed.error, fieldsAt));
  const images = (parsed.data.images ?? []).map((entry) => ({
    reference: normal(entry.reference),
    source: entry.source ?? `docker://${entry.reference}`,
    platforms: entry.platforms,
    select: entry.select ?? 'sparse',
    referrers: entry.referrers ?? true,
    foreignLayers: entry['foreign-layers'] ?? 'refuse',
    sbom: entry.sbom,
  }));
  const components = (parsed.data.components ?? []).map((entry) => ({
    ...entry,
    values: entry.values ?? [],
    namespace: entry.namespace,
    after: entry.after ?? [],
    timeout: entry.timeout === undefined ? undefined : parseDuration(entry.timeout),
  }));
  const problems = [
    ...repeated(images, components),
    ...wrongOrder(components),
    ...misplacedValues(components),
    ...misplacedSelect(parsed.data.images ?? []),
  ];
  if (images.length + components.length === 0) {
    problems.push({ path: '', message: 'has neither [[images]] nor [[components]]: there is nothing to pack' });
  }
  const { created, expires } = parsed.data;
  if (created !== undefined && expires !== undefined && expires <= created) {
    problems.push({ path: 'expires', message: 'is not after created' });
  }
  if (problems.length > 0) throw located(source, problems);
  return {
    name: parsed.data.name,
    version: parsed.data.version,
    sequence: parsed.data.sequence,
    created: parsed.data.created,
    expires: parsed.data.expires,
    description: parsed.data.description,
    annotations: parsed.data.annotations ?? {},
    operator: parsed.data.operator === undefined ? undefined : normal(parsed.data.operator),
    sbom: parsed.data.sbom,
    makeSboms: parsed.data['make-sboms'] ?? false,
    images,
    components: ordered(components),
  };
}

function isReference(value: string): boolean {
  try {
    parseReference(value);
    return true;
  } catch {
    return false;
  }
}

function normal(value: string): string {
  return formatReference(parseReference(value));
}

function fieldsAt(path: string): readonly string[] {
  return knownFields[path.split('.')[0] ?? ''] ?? [];
}

function located(source: string, problems: readonly Problem[]): PositionedError {
  return new PositionedError(
    'toml-invalid',
    locateProblems(new TextLines(source), among(locateToml(source)), problems),
  );
}

function repeated(images: readonly ImageDefinition[], components: readonly ComponentDefinition[]): Problem[] {
  const twice = (list: string, field: string, names: readonly string[]): Problem[] =>
    names.flatMap((name, index) =>
      names.indexOf(name) < index ? [{ path: `${list}.${index}.${field}`, message: `${name} is named twice` }] : [],
    );
  return [
    ...twice(
      'images',
      'reference',
      images.map((entry) => entry.reference),
    ),
    ...twice(
      'components',
      'name',
      components.map((entry) => entry.name),
    ),
  ];
}

function misplacedValues(components: readonly ComponentDefinition[]): Problem[] {
  return components.flatMap((entry, index) =>
    entry.values.length > 0 && entry.kind !== 'helm'
      ? [{ path: `components.${index}.values`, message: `only a component of kind helm has values, not ${entry.kind}` }]
      : [],
  );
}

function misplacedSelect(images: readonly z.infer<typeof image>[]): Problem[] {
  return images.flatMap(({ select, platforms }, index) =>
    select !== undefined && platforms === undefined
      ? [{ path: `images.${index}.select`, message: 'says how "platforms" are selected, but there are none' }]
      : [],
  );
}

function wrongOrder(components: readonly ComponentDefinition[]): Problem[] {
  const names = components.map((entry) => entry.name);
  const problems = components.flatMap((entry, index) =>
    entry.after.flatMap((name, position) =>
      names.includes(name)
        ? []
        : [{ path: `components.${index}.after.${position}`, message: `there is no component "${name}"` }],
    ),
  );
  if (problems.length > 0) return problems;
  const missing = new Set(names);
  for (const entry of ordered(components)) missing.delete(entry.name);
  return [...missing].map((name) => ({
    path: `components.${names.indexOf(name)}.after`,
    message: `waits for itself, through ${[...missing].join(', ')}`,
  }));
}

/** Sorts components so that each comes after those it waits for, else in their order; leaves out those in a circle. */
function ordered(components: readonly ComponentDefinition[]): ComponentDefinition[] {
  const waiting = [...components];
  const placed: ComponentDefinition[] = [];
  const done = new Set<string>();
  for (;;) {
    const index = waiting.findIndex((entry) => entry.after.every((name) => done.has(name)));
    if (index < 0) return placed;
    const [entry] = waiting.splice(index, 1);
    placed.push(entry!);
    done.add(entry!.name);
  }
}
