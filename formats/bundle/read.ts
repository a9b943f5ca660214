import { text } from '../bytes.ts';
import { checked } from '../json.ts';
import { knownFields } from '../kubernetes/known-fields.ts';
import { checkedYaml } from '../manifest/checked-yaml.ts';
import type { KubernetesObject } from '../manifest/object.ts';
import { parseOneYaml } from '../manifest/one-document.ts';
import type { RepeatedKey } from '../manifest/yaml.ts';
import { z } from '../schema.ts';
import {
  type BundleDeployment,
  isServiceVersion,
  type ServiceVersion,
  serviceVersionOf,
  serviceVersionSchema,
} from './csv.ts';
import { type BundleObject, bundleObjects, METADATA, type OperatorBundleFile, refusedBundle } from './files.ts';
import { type BundleProperty, propertiesText } from './properties.ts';

/** A registry+v1 bundle, as its files say it. */
export interface OperatorBundle {
  /** The name of its package. */
  readonly packageName: string;
  /** What it says of the operator, its annotations with the properties of `metadata/properties.yaml`. */
  readonly operator: ServiceVersion;
  /** Where that is stated. */
  readonly source: string;
  /** Its CustomResourceDefinitions. */
  readonly definitions: readonly BundleObject[];
  /** All other objects. */
  readonly others: readonly BundleObject[];
  /** What it says about itself in `metadata/properties.yaml` and in its annotations. */
  readonly properties: readonly BundleProperty[];
  /** What `metadata/dependencies.yaml` says it needs. */
  readonly dependencies: readonly BundleProperty[];
  /** Keys that stand twice in its manifests, of which the last one counts, by file. */
  readonly repeated: ReadonlyMap<string, readonly RepeatedKey[]>;
  /** Fields of its Deployments and definitions that Kubernetes does not have, and that were left out, by object. */
  readonly unknown: ReadonlyMap<string, readonly string[]>;
}

const CODE = 'operator-bundle-invalid';

/** The annotations of a bundle begin with this. */
const PREFIX = 'operators.operatorframework.io.bundle';

/** The annotation that says of which properties a bundle is known by. */
const PROPERTIES = 'olm.properties';

const words = z.string().nullish();
const annotations = z.looseObject({
  annotations: z
    .looseObject({
      [`${PREFIX}.mediatype.v1`]: words,
      [`${PREFIX}.manifests.v1`]: words,
      [`${PREFIX}.metadata.v1`]: words,
      [`${PREFIX}.package.v1`]: words,
    })
    .nullish(),
});
const property = z.object({ type: z.string(), value: z.unknown() });
const properties = z.looseObject({ properties: z.array(property).nullish() });
const dependencies = z.looseObject({ dependencies: z.array(property).nullish() });

/**
 * Reads a bundle of the format registry+v1 (Operator Framework, "Bundle format"). Throws `FormatError`
 * `operator-bundle-invalid` for what is none, and what `bundleObjects` throws.
 */
export function readOperatorBundle(files: readonly OperatorBundleFile[]): OperatorBundle {
  const packageName = packageOf(files);
  const repeated = new Map<string, RepeatedKey[]>();
  const objects = bundleObjects(files, (path, key) => repeated.set(path, [...(repeated.get(path) ?? []), key]));
  const versions = objects.filter(({ object }) => isServiceVersion(object));
  const [stated, second] = versions;
  if (stated === undefined) throw refusedBundle('has no ClusterServiceVersion in manifests');
  if (second !== undefined) {
    throw refusedBundle(`has two ClusterServiceVersions, in ${stated.source} and in ${second.source}`);
  }
  const operator = serviceVersionOf(checked(stated.object, serviceVersionSchema, CODE, stated.source, 'YAML'));
  const written = metadataFile(files, 'properties.yaml', properties)?.properties ?? [];
  const own = annotatedProperties(operator.annotations[PROPERTIES], stated.source);
  const stating = [...own, ...written.map(({ type, value }) => ({ type, value }))];
  const unknown: Unknown = new Map();
  const merged =
    written.length === 0
      ? operator.annotations
      : { ...operator.annotations, [PROPERTIES]: propertiesText(own, written as readonly BundleProperty[]) };
  return {
    packageName,
    operator: {
      ...operator,
      annotations: merged,
      deployments: operator.deployments.map((one) => knownDeployment(one, unknown)),
    },
    source: stated.source,
    definitions: objects
      .filter(({ object }) => isDefinition(object))
      .map((one) => ({ ...one, object: known(one.object, one.object.metadata.name, unknown) })),
    others: objects.filter((one) => one !== stated && !isDefinition(one.object)),
    properties: stating,
    dependencies: (metadataFile(files, 'dependencies.yaml', dependencies)?.dependencies ?? []) as BundleProperty[],
    repeated,
    unknown,
  };
}

type Unknown = Map<string, readonly string[]>;

/**
 * OLM reads these objects into the types of the API, which drops what they do not know; an API server would refuse it.
 */
function known<T extends { readonly apiVersion: string; readonly kind: string }>(
  stated: T,
  name: string,
  unknown: Unknown,
): T {
  const { object, left } = knownFields(stated);
  if (left.length > 0) unknown.set(`${stated.kind} ${name}`, left);
  return object;
}

function knownDeployment({ spec, ...rest }: BundleDeployment, unknown: Unknown): BundleDeployment {
  return { ...rest, spec: known({ apiVersion: 'apps/v1', kind: 'Deployment', spec }, rest.name, unknown).spec };
}

function isDefinition({ kind }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition';
}

/** Reads the name of the package, and makes sure that the folders of the bundle are those that are read. */
function packageOf(files: readonly OperatorBundleFile[]): string {
  const found = metadataFile(files, 'annotations.yaml', annotations);
  if (found === undefined) throw refusedBundle('has no metadata/annotations.yaml');
  const said = found.annotations ?? {};
  const mediaType = said[`${PREFIX}.mediatype.v1`] ?? 'registry+v1';
  if (mediaType !== 'registry+v1') throw refusedBundle(`says that it is ${mediaType}, not registry+v1`);
  for (const folder of ['manifests', 'metadata']) {
    const named = said[`${PREFIX}.${folder}.v1`] ?? folder;
    if (String(named).replace(/^\/|\/$/g, '') !== folder) {
      throw refusedBundle(`has its ${folder} in ${named}, but they are only read from ${folder}`);
    }
  }
  const name = said[`${PREFIX}.package.v1`];
  if (typeof name !== 'string' || name === '') {
    throw refusedBundle(`does not name its package: metadata/annotations.yaml has no ${PREFIX}.package.v1`);
  }
  return name;
}

function metadataFile<T>(files: readonly OperatorBundleFile[], name: string, schema: z.ZodType<T>): T | undefined {
  const path = `${METADATA}/${name}`;
  const file = files.find((one) => one.path === path);
  if (file === undefined) return undefined;
  const source = text(file.bytes, 'yaml-invalid');
  const document = parseOneYaml(source, path, CODE);
  if (document === undefined) return checked({}, schema, CODE, path, 'YAML');
  return checkedYaml({ text: source, document, name: path }, schema, CODE);
}

/** Reads the properties that a ClusterServiceVersion has in an annotation. */
function annotatedProperties(value: string | undefined, source: string): BundleProperty[] {
  if (value === undefined) return [];
  try {
    return checked(JSON.parse(value), z.array(property), CODE, PROPERTIES) as BundleProperty[];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refusedBundle(`${source}: the annotation ${PROPERTIES} is not JSON`);
  }
}
