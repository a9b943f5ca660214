import { basename, join } from 'node:path';
import { chartMentions } from '../../../formats/chart/mentions.ts';
import { chartTraits } from '../../../formats/chart/traits.ts';
import { type KubernetesObject, parseDocuments } from '../../../formats/manifest/documents.ts';
import { takesPart } from '../../../formats/manifest/hooks.ts';
import type { RepeatedKey } from '../../../formats/manifest/yaml.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import { findTool, refused, SolpackError } from '../../kernel/events/index.ts';
import { withAnnotatedImages } from './annotated-images.ts';
import { buildChart, takeChart } from './chart.ts';
import { fileAt, locateFile, sorted } from './files.ts';
import { printedByHelm } from './helm-run.ts';
import type { Collected, ComponentKind, StatedObject } from './kind.ts';
import { repeatedKeys } from './repeated-keys.ts';
import { collectValues } from './values-files.ts';

/**
 * Kind `helm`: a chart folder, packed with the charts that it needs, or a `.tgz`, taken byte for byte. It is stored as
 * `<name>-<version>.tgz`, which is the entry. Values files become `values/<position>-<file name>`, and the values of
 * the definition itself `values/<position>-set.json`. It is always rendered as for a first installation, so that one
 * version always has the same objects.
 */
export const helm: ComponentKind = {
  kind: 'helm',

  collect: async (spec, signal): Promise<Collected> => {
    const { stats } = await locateFile(spec.root, spec.path);
    const { file, metadata } = stats.isDirectory()
      ? await buildChart(spec, signal)
      : await takeChart(
          fileAt(spec.path, basename(spec.path), stats),
          spec.origin ?? spec.path,
          spec.skipSchemaValidation,
        );
    if (metadata.type === 'library') {
      throw new SolpackError(
        'component-invalid',
        spec.origin ?? spec.path,
        'is a library chart, which cannot be installed',
        {
          hint: 'name the chart that uses it',
        },
      );
    }
    const notices: string[] = [];
    const values = await collectValues(spec, notices);
    return {
      files: sorted([file, ...values]),
      entry: file.path,
      values: values.map((one) => one.path),
      chart: { path: file.path, metadata },
      notices,
    };
  },

  traits: async (component) => {
    const chart = join(component.folder, component.entry);
    const { stats } = await locateFile(component.folder, chart);
    return refused('component-invalid', component.name, () => chartTraits(fileAt(chart, '', stats).open()));
  },

  mentions: async (component) => {
    const chart = join(component.folder, component.entry);
    const { stats } = await locateFile(component.folder, chart);
    return refused('component-invalid', component.name, () => chartMentions(fileAt(chart, '', stats).open()));
  },

  render: async (component, flow): Promise<StatedObject[]> => {
    const program = await findTool(flow.host, 'helm', 'install Helm 3 or 4 on PATH');
    const values = component.values.flatMap((path) => ['--values', field(join(component.folder, path))]);
    const namespace = component.namespace === undefined ? [] : ['--namespace', component.namespace];
    const chart = join(component.folder, component.entry);
    const { stats } = await locateFile(component.folder, chart);
    // The archive may come from somebody who skipped this check, and Helm would read whatever a schema refers to.
    const skips = component.skipSchemaValidation === true;
    const { read } = await takeChart(fileAt(chart, basename(chart), stats), component.name, skips);
    const skip = skips ? ['--skip-schema-validation'] : [];
    const options = [...namespace, '--include-crds', ...skip, ...capabilities(component.cluster), ...values];
    const hint = 'try "helm template" on the chart with the same values by hand';
    const printed = await printedByHelm(
      {
        program,
        args: ['template', component.release, chart, ...options],
        subject: component.name,
        folder: component.folder,
        hint,
        env: (home) => ({
          HELM_CACHE_HOME: join(home, 'cache'),
          HELM_CONFIG_HOME: join(home, 'config'),
          HELM_DATA_HOME: join(home, 'data'),
          HELM_NAMESPACE: component.namespace ?? 'default',
        }),
      },
      component,
      flow,
    );
    const tell = (message: string): void => flow.onEvent({ type: 'notice', subject: component.name, message });
    const stated = await refused('tool-failed', component.name, () => statedIn(printed, tell, component.parsed), hint);
    const sources = new Map(stated.map(({ object, source }) => [object, source]));
    const objects = [...sources.keys()];
    const taken = objects.filter(takesPart).map((object) => ({ object, source: sources.get(object) }));
    return withAnnotatedImages(read, taken);
  },
};

/** Reads what Helm printed, template by template. Of a text that `known` has, the objects are taken from there. */
function statedIn(
  printed: string,
  tell: (message: string) => void,
  known = new Map<string, readonly KubernetesObject[]>(),
): StatedObject[] {
  // No content of YAML may hold such lines.
  return printed.split(/^---\n(?=# Source: )/m).flatMap((part) => {
    const [, template] = /^# Source: (.*)\n/.exec(part) ?? [];
    const name = template ?? 'output of helm';
    const repeated: RepeatedKey[] = [];
    // Each object is one of its own, also where its text is there twice.
    const objects = structuredClone(known.get(part)) ?? parseDocuments(part, name, (one) => repeated.push(one));
    if (repeated.length > 0) tell(repeatedKeys(name, repeated));
    if (!known.has(part)) known.set(part, objects);
    return objects.map((object) => ({ object, source: template }));
  });
}

/**
 * Returns the flags for what charts see as `.Capabilities`. Old releases of Helm 3 take one version a flag, and all
 * take many flags.
 */
function capabilities(cluster: ClusterFacts | undefined): string[] {
  if (!cluster) return [];
  const version = cluster.version === undefined ? [] : ['--kube-version', cluster.version];
  return [...version, ...cluster.apiVersions.map((one) => `--api-versions=${one}`)];
}

/** Quotes a path: Helm reads a list of files as one line of CSV, which a comma would split. */
function field(path: string): string {
  return /[",\r\n]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path;
}
