import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lackingForControlPlane } from '../control-plane/index.ts';
import { benchedControlPlane, kubeconfig } from './install.ts';
import { type Command, measure, type Steps } from './measure.ts';
import { writeObjects } from './objects.ts';
import { type Group, output, type Row, solpack } from './rows.ts';

/** Most MiB that solpack may take. */
const MEMORY = 256;

/**
 * Makes the groups that bring 2,000 objects into a cluster without nodes, again, ask for their state, and bring another
 * version and the one before, by solpack and by `kubectl apply --server-side`, which only applies them.
 */
export async function living(): Promise<Group[]> {
  const lacking = lackingForControlPlane();
  if (lacking.length > 0) {
    console.log(`\nlife not measured: no ${lacking.join(', ')}`);
    return [];
  }
  const folder = join(output, 'life');
  const [first, second] = [await makeSolution(folder, 1), await makeSolution(folder, 2)];
  const cluster = ['--kubeconfig', kubeconfig];
  const install = ({ configuration }: Version): Command =>
    solpack('install', '-f', configuration, '--insecure-skip-verify', ...cluster, '--hosts-dir', join(folder, 'hosts'));
  const apply = ({ manifests }: Version): Command => [
    'kubectl',
    ...['apply', '--server-side', '--force-conflicts', '-f', manifests, ...cluster],
  ];
  const own = (name: string, before: Steps, step: Command): Row => row(`solpack ${name}`, before, step, MEMORY);
  const other = (before: Steps, step: Command): Row => row('kubectl apply --server-side', before, step);
  const one = [[install(first)]];
  const both = [[install(first)], [install(second)]];
  const kubectlBoth = [[apply(first)], [apply(second)]];
  const groups: readonly (readonly [title: string, rows: readonly Row[]])[] = [
    ['2,000 objects into a cluster', [own('install', [], install(first)), other([], apply(first))]],
    ['the same once more', [own('install', one, install(first)), other([[apply(first)]], apply(first))]],
    [
      'what there is of them',
      [own('status', one, solpack('status', ...cluster, '--no-images')), other([[apply(first)]], apply(first))],
    ],
    ['another version', [own('install', one, install(second)), other([[apply(first)]], apply(second))]],
    [
      'the version before',
      [
        own('rollback', both, solpack('rollback', ...cluster, '--allow-missing-images')),
        other(kubectlBoth, apply(first)),
      ],
    ],
  ];
  return groups.map(([title, rows]) => ({ title, inputs: [first.manifests, second.manifests], rows }));
}

function row(name: string, before: Steps, step: Command, memory?: number): Row {
  const start = (): ReturnType<typeof benchedControlPlane> => benchedControlPlane(before, false);
  return { name, steps: [[step]], server: { program: 'kubectl', start }, ...(memory === undefined ? {} : { memory }) };
}

/** A version of the Solution, as files. */
interface Version {
  readonly manifests: string;
  readonly configuration: string;
}

/** Writes and packs a version of the Solution. */
async function makeSolution(folder: string, version: number): Promise<Version> {
  const own = join(folder, String(version));
  mkdirSync(own, { recursive: true });
  const manifests = join(own, 'objects.yaml');
  writeObjects(manifests, version);
  const [definition, configuration, archive] = ['solution.toml', 'configuration.yaml', 'life.iso'].map((name) =>
    join(own, name),
  );
  writeFileSync(
    definition!,
    `name = "life"
version = "${version}.0.0"
external-images = ["registry.example.com/web"]

[[components]]
name = "objects"
kind = "manifests"
path = "objects.yaml"
`,
  );
  writeFileSync(
    configuration!,
    `apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\narchives: [${archive}]\nactive: {life: latest}\n`,
  );
  await measure([[solpack('pack', definition!, '-o', archive!)]]);
  return { manifests, configuration: configuration! };
}
