import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubectl, lackingForControlPlane, startControlPlane } from '../control-plane/index.ts';
import { makeChart } from './crds.ts';
import { measure, type Steps } from './measure.ts';
import { type Group, output, type Row, type Server, solpack } from './rows.ts';

/** Where the kubeconfig of the control plane is copied to for the time of a row. */
export const kubeconfig: string = join(output, 'kubeconfig');

/**
 * Makes the groups that bring one chart into a cluster without nodes, by solpack and by helm: into an empty one, and
 * once more into one that has it. The images are none, so that nothing of the time is theirs.
 */
export async function installing(): Promise<Group[]> {
  const lacking = lackingForControlPlane();
  if (lacking.length > 0) {
    console.log(`\ninstall not measured: no ${lacking.join(', ')}`);
    return [];
  }
  const folder = join(output, 'chart');
  const chart = join(folder, 'many');
  const configuration = await makeSolution(folder, chart);
  const own = ['--kubeconfig', kubeconfig, '--hosts-dir', join(folder, 'hosts')];
  const release = ['upgrade', '--install', 'many', chart, '--namespace', 'many', '--create-namespace'];
  const ways: readonly { readonly name: string; readonly steps: Steps; readonly bars: readonly number[] }[] = [
    {
      name: 'solpack install',
      steps: [[solpack('install', '-f', configuration, '--insecure-skip-verify', ...own)]],
      bars: [],
    },
    { name: 'helm upgrade --install', steps: [[['helm', ...release, '--kubeconfig', kubeconfig]]], bars: [1, 0.5] },
  ];
  return ['130 objects into a cluster', 'the same once more'].map((title, again): Group => {
    const rows = ways.map(({ name, steps, bars }): Row => {
      const start = (): Promise<Server> => benchedControlPlane(again === 0 ? [] : steps, true);
      const bar = bars[again];
      return { name, steps, server: { program: 'kubectl', start }, ...(bar === undefined ? {} : { bar }) };
    });
    return { title, inputs: [chart], rows };
  });
}

/** Writes the Solution, packs it, and returns its configuration. */
async function makeSolution(folder: string, chart: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  makeChart(chart);
  const archive = join(output, 'many.iso');
  const definition = join(folder, 'solution.toml');
  const configuration = join(folder, 'configuration.yaml');
  writeFileSync(join(folder, 'namespace.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: {name: many}\n');
  const components = [
    '[[components]]\nname = "space"\nkind = "manifests"\npath = "namespace.yaml"\n',
    '[[components]]\nname = "many"\nkind = "helm"\npath = "many"\nnamespace = "many"\n',
  ];
  writeFileSync(definition, `name = "many"\nversion = "1.0.0"\n\n${components.join('\n')}`);
  writeFileSync(
    configuration,
    `apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\narchives: [${archive}]\nactive: {many: latest}\n`,
  );
  await measure([[solpack('pack', definition, '-o', archive)]]);
  return configuration;
}

/**
 * Starts a control plane in which the steps `before` were run. With `counted`, what it uses counts, and not what its
 * clients use.
 */
export async function benchedControlPlane(before: Steps, counted: boolean): Promise<Server> {
  const { paths, id, end } = await startControlPlane();
  writeFileSync(kubeconfig, await kubectl(['config', 'view', '--raw', '--flatten'], paths), { mode: 0o600 });
  await measure(before);
  return { ...(counted ? { id } : {}), requests: () => countRequests(paths), stop: end };
}

/** Counts what clients asked an API server (metric `apiserver_request_total`), but for what its controllers watch. */
async function countRequests(paths: { readonly kubeconfig: string }): Promise<number> {
  const metrics = await kubectl(['get', '--raw', '/metrics'], paths);
  const counts = metrics.split('\n').flatMap((line) => {
    const [, labels = '', count] = /^apiserver_request_total\{(.*)\} (\S+)$/.exec(line) ?? [];
    return count === undefined || labels.includes('verb="WATCH"') ? [] : [Number(count)];
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
