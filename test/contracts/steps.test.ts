import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Digest } from '../../formats/digest.ts';
import { lend } from '../../lib/flow.ts';
import { embeddedRegistry, pushedToRegistry, runningServe } from '../../lib/install/index.ts';
import { stepName } from '../../lib/plan/make.ts';
import type { Json, Step } from '../../lib/plan/step.ts';
import { configMap, type Planted, plant, plugin } from '../lib/components/support.ts';
import { smallSolution, succeeds } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import type { Mishap, OpenFlow, StepFlow } from '../support/steps/flows.ts';
import { installFlow, loadFlow, pushFlow } from '../support/steps/worlds.ts';

const folder = scratch('steps');
const given = {
  folder,
  configuration: join(folder, 'solutions.yaml'),
  archive: join(folder, 'hello.iso'),
  key: join(folder, 'k.pub'),
  tree: join(folder, 'components.d'),
};

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  const definition = join(folder, 'hello/solution.toml');
  writeFileSync(definition, readFileSync(definition, 'utf8').replace('[[images]]', 'sequence = 7\n\n[[images]]'));
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'registry.example.com/hello/web:1.0.0' }] },
  };
  const spec = { selector: { matchLabels: { app: 'web' } }, template };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
  writeFileSync(join(folder, 'hello/web/pod.yaml'), JSON.stringify(deployment));
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'k.key'], { cwd: folder });
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  writeFileSync(given.configuration, `${head}archives: [hello.iso]\nactive: {hello: latest}\n`);
  plant(given.tree, { '010-one/plugin': printing('one'), '020-two/plugin': printing('two') });
}, 60_000);

/** A plugin that prints one ConfigMap. */
function printing(name: string): Planted {
  return plugin(`cat <<'END'\n${configMap(name)}END`, 'echo v1');
}

/** Every list of steps, and every delivery of an install. */
const flows: readonly StepFlow[] = [
  installFlow('an install that serves images itself', given, {
    isServed: false,
    make: (_, port) => embeddedRegistry({ host: '127.0.0.1', port, hold: false }),
  }),
  installFlow('an install that pushes images', given, { isServed: false, make: (url) => pushedToRegistry(url, {}) }),
  installFlow('an install from a running serve', given, { isServed: true, make: (url) => runningServe(url, {}) }),
  loadFlow('a load', given),
  pushFlow('a push', given),
];

/** The `step` of the first event that a kind tells; undefined for a kind that is done at once, and tells none. */
const told: Readonly<Record<string, string | undefined>> = {
  verify: 'verify',
  'check-sites': undefined,
  serve: undefined,
  ask: 'ask',
  'push-images': 'load',
  render: 'unpack',
  'name-images': undefined,
  'render-tree': 'probe',
  mirror: 'mirror',
  apply: 'check',
  remember: undefined,
  push: 'push',
  attach: undefined,
  tag: undefined,
  expand: 'expand',
};

let worlds = 0;

/** Lends a flow in a world of its own. */
async function inWorld<T>(flow: StepFlow, work: (open: OpenFlow) => Promise<T>): Promise<T> {
  return lend(await flow.open(`world-${++worlds}`), work);
}

describe.each(flows.map((flow) => [flow.name, flow] as const))('the steps of %s', (_, flow) => {
  test('are planned the same each time, as data, and each after what it takes', async () => {
    const [kinds, steps] = await inWorld(flow, async (open) => {
      const planned = await open.plan();
      expect(await open.plan()).toEqual(planned);
      return [open.kinds, planned];
    });
    expect(JSON.parse(JSON.stringify(steps))).toEqual(steps);
    expect([...new Set(steps.map(({ kind }) => kind))]).toEqual(kinds);
    for (const [index, { after, subject }] of steps.entries()) {
      const before = steps.slice(0, index).map(({ name }) => name);
      expect([after.filter((name) => !before.includes(name)), subject === '']).toEqual([[], false]);
    }
    expect(steps.filter(({ after }) => after.length === 0).map(({ kind }) => kind)).toEqual([kinds[0]]);
  });

  test('are named by what decides what they do, and by nothing else', async () => {
    const steps = await inWorld(flow, ({ plan }) => plan());
    for (const step of steps) {
      const same: Step = { ...step, subject: 'elsewhere' };
      expect([step.kind, stepName(same)]).toEqual([step.kind, step.name]);
      const names = [step.name, ...variantsOf(step).map(stepName)];
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('change nothing when they are done again', async () => {
    await inWorld(flow, async ({ run, content, versions }) => {
      const nothing = versions();
      expect((await run()).stopped).toBe(false);
      const [first, kept] = [content(), versions()];
      expect(kept).not.toEqual(nothing);
      expect((await run()).stopped).toBe(false);
      expect(content()).toEqual(first);
      expect(versions()).toEqual(kept);
    });
  });

  test('tell what they do', async () => {
    const ran = await inWorld(flow, ({ run }) => run());
    for (const { kind } of ran.steps) expect([kind, ran.told.get(kind)?.[0]]).toEqual([kind, told[kind]]);
  });

  test.each(['while', 'after'] satisfies Mishap[])(
    'are gone on with by the next run, where one ended %s any of them',
    async (kind) => {
      const [whole, count] = await inWorld(flow, async ({ run, content }) => {
        const { steps } = await run();
        return [content(), steps.length] as const;
      });
      let stopped = 0;
      for (let at = 0; at < count; at += 1) {
        await inWorld(flow, async ({ run, content }) => {
          const first = await run({ at, kind });
          if (first.stopped) stopped += 1;
          expect((await run()).stopped).toBe(false);
          expect([at, content()]).toEqual([at, whole]);
        });
      }
      expect(stopped).toBeGreaterThan(kind === 'while' ? 0 : count - 1);
    },
    120_000,
  );
});

test('every kind of step is known to tell something, or nothing', async () => {
  const kinds = await Promise.all(flows.map((flow) => inWorld(flow, async (open) => open.kinds)));
  expect(Object.keys(told).sort()).toEqual([...new Set(kinds.flat())].sort());
});

test('a step has another name where what it goes by is another, and so have those that take what it gives', async () => {
  await inWorld(flows[0]!, async ({ plan }) => {
    const plain = await plan();
    const changed = async (change: (read: { readonly archives: readonly object[] }) => object): Promise<string[]> => {
      const steps = await plan(change);
      return steps.filter(({ name }, index) => name !== plain[index]!.name).map(({ kind }) => kind);
    };
    expect(await changed((read) => read)).toEqual([]);
    expect(await changed((read) => ({ ...read, variables: { A: 'b' } }))).toEqual([
      'render',
      'name-images',
      'mirror',
      'apply',
      'remember',
    ]);
    const site = { solution: 'hello', component: 'web', values: [], secrets: [], patches: [] };
    expect(await changed((read) => ({ ...read, sites: [site] }))).toEqual([
      'check-sites',
      'render',
      'name-images',
      'mirror',
      'apply',
      'remember',
    ]);
    expect(await changed((read) => ({ ...read, configuration: 'other' }))).toEqual(['mirror', 'apply', 'remember']);
    const elsewhere = (read: { readonly archives: readonly object[] }): object => ({
      ...read,
      archives: read.archives.map((archive) => ({ ...archive, path: '/elsewhere.iso' })),
    });
    expect(await changed(elsewhere)).toEqual([]);
    expect((await plan(elsewhere))[0]!.subject).toBe('/elsewhere.iso');
  });
});

test('an install renders everything before it moves an image', async () => {
  const installs = flows.filter(({ name }) => name.startsWith('an install'));
  for (const flow of installs) {
    const kinds = await inWorld(flow, async (open) => open.kinds);
    const moving = kinds.findIndex((kind) => kind === 'serve' || kind === 'ask' || kind === 'push-images');
    expect([flow.name, kinds.indexOf('render') < moving]).toEqual([flow.name, true]);
  }
});

/** The same step with another kind, with another value for each of its inputs, and after another step. */
function variantsOf(step: Step): Step[] {
  const inputs = step.inputs as Readonly<Record<string, Json>>;
  const other: Digest = `sha256:${'0'.repeat(64)}`;
  return [
    { ...step, kind: `${step.kind}-too` },
    { ...step, after: [...step.after, other] },
    ...Object.keys(inputs).map((field) => ({ ...step, inputs: { ...inputs, [field]: ['another', inputs[field]!] } })),
  ];
}
