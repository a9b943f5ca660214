import { FormatError } from '../error.ts';
import { z } from '../schema.ts';
import { checkedYaml } from './checked-yaml.ts';
import { parseOneExactYaml } from './one-document.ts';
import { parseExactYaml } from './yaml.ts';

/** The names a kustomization can have; a folder holds exactly one of them. */
export const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

/** What a kustomization refers to, as it is written: paths relative to its folder, or something remote. */
export interface Kustomization {
  /** Files of objects, or folders with a kustomization of their own. */
  readonly resources: readonly string[];
  /** The same, for the configuration of generators, transformers and validators. */
  readonly plugins: readonly string[];
  /** Configuration of generators, transformers and validators that is written into the kustomization itself. */
  readonly inlinePlugins: readonly string[];
  /** Files: patches, contents of generated objects, schemas. They must lie in the folder or below. */
  readonly files: readonly string[];
  /** Those of `files` that hold lines `NAME=VALUE`. */
  readonly envFiles: readonly string[];
  /** Whether it inflates Helm charts, which needs the network or a program. */
  readonly charts: boolean;
  /** Where all that it builds is put; undefined leaves it where it is. */
  readonly namespace: string | undefined;
}

const paths = z.array(z.string()).nullish();
const withPath = z.array(z.looseObject({ path: z.string().nullish() })).nullish();
const generator = z.array(z.looseObject({ files: paths, envs: paths, env: z.string().nullish() })).nullish();

const kustomization = z.looseObject({
  namespace: z.string().nullish(),
  resources: paths,
  bases: paths,
  components: paths,
  generators: paths,
  transformers: paths,
  validators: paths,
  crds: paths,
  configurations: paths,
  patchesStrategicMerge: paths,
  patches: withPath,
  patchesJson6902: withPath,
  replacements: withPath,
  openapi: z.looseObject({ path: z.string().nullish() }).nullish(),
  configMapGenerator: generator,
  secretGenerator: generator,
  helmCharts: z.array(z.unknown()).nullish(),
  helmChartInflationGenerator: z.array(z.unknown()).nullish(),
});

/** Whether a parsed document is a kustomization rather than an object of the API. */
export function isKustomization(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind } = value as { apiVersion?: unknown; kind?: unknown };
  if (kind !== 'Kustomization' && kind !== 'Component') return false;
  return apiVersion === undefined || String(apiVersion).startsWith('kustomize.config.k8s.io/');
}

/**
 * Reads what a kustomization refers to (kustomize.config.k8s.io/v1beta1; `Component` v1alpha1). `name` is how errors
 * call it. Throws `FormatError` `manifest-document-invalid`.
 */
export function parseKustomization(text: string, name: string): Kustomization {
  const document = parseOneExactYaml(text, name, 'manifest-document-invalid');
  if (document === undefined) throw new FormatError('manifest-document-invalid', `${name} is empty`);
  const value = checkedYaml({ text, document, name }, kustomization, 'manifest-document-invalid');
  const generators = [...(value.configMapGenerator ?? []), ...(value.secretGenerator ?? [])];
  const envFiles = generators.flatMap((one) => [...(one.envs ?? []), ...(one.env ? [one.env] : [])]);
  const plugins = [value.generators, value.transformers, value.validators].flatMap((list) => list ?? []);
  const patched = [value.patches, value.patchesJson6902, value.replacements].flatMap((list) => list ?? []);
  return {
    resources: [value.resources, value.bases, value.components].flatMap((list) => list ?? []),
    plugins: plugins.filter((one) => !isInline(one)),
    inlinePlugins: plugins.filter(isInline),
    files: [
      ...(value.crds ?? []),
      ...(value.configurations ?? []),
      ...(value.patchesStrategicMerge ?? []).filter((one) => !isInline(one)),
      ...[...patched, value.openapi].flatMap((one) => one?.path ?? []),
      ...envFiles,
      ...generators.flatMap((one) => one.files ?? []).map((file) => file.slice(file.indexOf('=') + 1)),
    ],
    envFiles,
    charts: (value.helmCharts?.length ?? 0) + (value.helmChartInflationGenerator?.length ?? 0) > 0,
    namespace: value.namespace ?? undefined,
  };
}

/**
 * What the configuration of a generator, transformer or validator would have fetched over HTTP in place of a file;
 * undefined where that is nothing. Throws `FormatError` `manifest-document-invalid`.
 */
export function fetchedBy(text: string, name: string): string | undefined {
  const open: unknown[] = parseExactYaml(text, name, 'manifest-document-invalid').map(({ value }) => value);
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const named = fileFields.has(key) ? [inner].flat().filter((one) => typeof one === 'string') : [];
      // Files of generators may be named: `NAME=PATH`.
      const remote = named.find((one) => /^https?:/i.test(one) || /^[^=/]*=https?:/i.test(one));
      if (remote !== undefined) return remote;
      open.push(inner);
    }
  }
  return undefined;
}

/** Fields in which what is built into kustomize names files to read. */
const fileFields = new Set(['path', 'paths', 'files', 'env', 'envs']);

/**
 * Whether the configuration of a generator, transformer or validator names a program or a container to run, instead
 * of one that is built into kustomize. Throws `FormatError` `manifest-document-invalid`.
 */
export function runsPrograms(text: string, name: string): boolean {
  return parseExactYaml(text, name, 'manifest-document-invalid').some(({ value }) => {
    const { apiVersion, metadata } = (value ?? {}) as {
      apiVersion?: unknown;
      metadata?: { annotations?: Record<string, unknown> | null } | null;
    };
    const annotations = Object.keys(metadata?.annotations ?? {});
    return (
      apiVersion !== 'builtin' || annotations.some((one) => /^config\.(?:kubernetes|k8s)\.io\/function$/.test(one))
    );
  });
}

const remotes = [
  /^[a-z][a-z0-9+.-]*:/i,
  /^[^/@\s]+@[^/:\s]+:/,
  /[?&](?:ref|version|timeout|submodules)=/i,
  /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev)\//i,
];

/**
 * Whether a reference is meant to be fetched over a network (URL, scp-like address, or a known host without scheme).
 */
export function isRemote(reference: string): boolean {
  return remotes.some((pattern) => pattern.test(reference));
}

function isInline(reference: string): boolean {
  return reference.includes('\n');
}
