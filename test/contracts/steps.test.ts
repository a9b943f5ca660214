import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Digest } from '../../formats/digest.ts';
import type { Pushed } from '../../lib/flows/install/delivery/push/pushed.ts';
import {
  alsoListed,
  embeddedRegistry,
  onThisNode,
  pushedToRegistry,
  runningServe,
} from '../../lib/flows/install/index.ts';
import { seededRegistry } from '../../lib/flows/seed/index.ts';
import { lend } from '../../lib/kernel/events/lend.ts';
import { stepName } from '../../lib/kernel/plan/make.ts';
import type { ForeseenStep } from '../../lib/kernel/plan/run.ts';
import type { Json, Step } from '../../lib/kernel/plan/step.ts';
import type { ApplyResult } from '../../lib/parts/clusters/index.ts';
import type { MirrorResult } from '../../lib/parts/mirrors/index.ts';
import { configMap, type Planted, plant, plugin } from '../lib/parts/components/support.ts';
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
});

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
  installFlow('an install that hands images over to a registry in the cluster', given, {
    isServed: false,
    make: (url) => seededRegistry({ solution: 'hello', url, options: {}, patience: 5_000, containerd: undefined }),
  }),
  installFlow('an install that hands images over and keeps those of the registry in a folder of k3s', given, {
    isServed: false,
    make: (url, _port, files) => {
      const place = { way: 'k3s', place: join(files, 'images') };
      return seededRegistry({ solution: 'hello', url, options: {}, patience: 5_000, containerd: undefined, place });
    },
  }),
  installFlow('an install into a folder of k3s', given, {
    isServed: false,
    isPulled: false,
    make: (_, _port, files) => onThisNode({ way: 'k3s', place: join(files, 'images') }),
  }),
  installFlow('an install with a list for k3s', given, {
    isServed: true,
    make: (url, _port, files) =>
      alsoListed(runningServe(url, {}), { way: 'k3s', place: join(files, 'images'), form: 'txt' }, true),
  }),
  loadFlow('a load', given),
  loadFlow('a load that pushes images', given, { isServed: false, make: (url) => pushedToRegistry(url, {}) }),
  pushFlow('a push', given),
];

/** Those that can be planned without being run. */
const foreseeable = flows.filter(({ name }) => name.startsWith('an install') || name.startsWith('a load'));

/** The `step` of the first event that a kind tells; undefined for a kind that is done at once, and tells none. */
const told: Readonly<Record<string, string | undefined>> = {
  verify: 'verify',
  'check-sites': undefined,
  survey: 'survey',
  preflight: 'preflight',
  serve: undefined,
  ask: 'ask',
  'push-images': 'load',
  'await-registry': 'await',
  'place-images': 'place',
  'list-images': 'place',
  'tidy-images': undefined,
  render: 'unpack',
  'name-images': undefined,
  'render-tree': 'probe',
  'check-images': 'check-images',
  'name-tree-images': undefined,
  mirror: 'mirror',
  'retire-mirrors': undefined,
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

  test('are gone on with by the next run, where one ended while any of them', async () => {
    const all = await ends(flow, 'while');
    expect(all.map(({ content }) => content)).toEqual(all.map(() => all[0]!.whole));
    expect(all.some(({ stopped }) => stopped)).toBe(true);
  });

  test('are gone on with by the next run, where one ended after any of them', async () => {
    const all = await ends(flow, 'after');
    expect(all.map(({ content }) => content)).toEqual(all.map(() => all[0]!.whole));
    expect(all.every(({ stopped }) => stopped)).toBe(true);
  });
});

describe.each(foreseeable.map((flow) => [flow.name, flow] as const))('the plan of %s', (_, flow) => {
  test('tells what the run does, changes nothing, and has nothing to tell after it', async () => {
    await inWorld(flow, async ({ foresee, run, content, versions }) => {
      const before = [content(), versions()];
      const foreseen = await foresee();
      // How much room is free may change with anything that goes on beside it.
      const lasting = (all: typeof foreseen) =>
        all.map(({ room, ...rest }) => ({ ...rest, room: room?.map(({ free: _, ...one }) => one) }));
      expect(lasting(await foresee())).toEqual(lasting(foreseen));
      expect([content(), versions()]).toEqual(before);
      const ran = await run();
      expect(foreseen.map(({ step }) => step)).toEqual(ran.steps);
      expect(actionsIn(foreseen, 'apply')).toEqual(appliedIn(ran.gave.get('apply') as ApplyResult));
      expect(pushedIn(foreseen)).toEqual(pushedOf(ran.gave.get('push-images') as Pushed | undefined));
      const mirrors = ran.gave.get('mirror') as MirrorResult | undefined;
      const written = foreseen.filter(({ step }) => step.kind === 'mirror').flatMap(({ actions }) => actions);
      expect(written.map(({ subject }) => subject)).toEqual(mirrors?.written ?? []);
      const again = await foresee();
      expect(again.flatMap(({ actions }) => actions)).toEqual([]);
    });
  });

  test('has no kind of step that changes something and does not foresee it', async () => {
    await inWorld(flow, async ({ foresee, run, versions }) => {
      const quiet = new Set(
        (await foresee()).filter(({ actions }) => actions.length === 0).map(({ step }) => step.kind),
      );
      const changing = await changedBy(flow);
      expect([...quiet].filter((kind) => changing.has(kind))).toEqual([]);
      expect((await run()).stopped).toBe(false);
      expect(versions()).not.toEqual({});
    });
  });
});

/** What comes of a run that ended at one of the steps. */
interface End {
  readonly kind: string;
  readonly stopped: boolean;
  /** What there was before the run, after it, after the next one, and after a run that went through. */
  readonly before: unknown;
  readonly between: unknown;
  readonly content: unknown;
  readonly whole: unknown;
}

const ended = new Map<string, Promise<readonly End[]>>();

/** Ends a run at each of the steps of a flow, in a world of its own, and goes on with it. It is done once. */
function ends(flow: StepFlow, mishap: Mishap): Promise<readonly End[]> {
  const name = `${mishap} ${flow.name}`;
  const known = ended.get(name) ?? endAll(flow, mishap);
  ended.set(name, known);
  return known;
}

async function endAll(flow: StepFlow, mishap: Mishap): Promise<readonly End[]> {
  const [whole, steps] = await inWorld(flow, async ({ run, content }) => {
    const ran = await run();
    return [content(), ran.steps] as const;
  });
  const all: End[] = [];
  for (const [at, { kind }] of steps.entries()) {
    await inWorld(flow, async ({ run, content }) => {
      const before = content();
      const { stopped } = await run({ at, kind: mishap });
      const between = content();
      expect((await run()).stopped).toBe(false);
      all.push({ kind, stopped, before, between, content: content(), whole });
    });
  }
  return all;
}

/** The kinds of steps after which something is another than before. */
async function changedBy(flow: StepFlow): Promise<ReadonlySet<string>> {
  const all = await ends(flow, 'after');
  const changing = all.filter(({ between }, at) => !isDeepStrictEqual(between, all[at - 1]?.between ?? all[0]!.before));
  return new Set(changing.map(({ kind }) => kind));
}

/** What is foreseen of objects, as results name it. */
function actionsIn(foreseen: readonly ForeseenStep[], kind: string): string[] {
  const own = foreseen.filter(({ step }) => step.kind === kind).flatMap(({ actions }) => actions);
  return own.map(({ subject, action }) => `${past[action]} ${subject}`);
}

const past: Readonly<Record<string, string>> = { create: 'created', change: 'changed', remove: 'removed', run: 'ran' };

function appliedIn({ solutions, removed }: ApplyResult): string[] {
  const all = [...solutions, ...removed].flatMap(({ objects }) => objects);
  const done = all.filter(({ action }) => action !== 'unchanged');
  return done.map(({ object, action }) => `${action} ${object.replace(' ', '/')}`);
}

function pushedIn(foreseen: readonly ForeseenStep[]): (readonly number[])[] {
  const own = foreseen.filter(({ step }) => step.kind === 'push-images');
  return own.map(({ actions, unchanged = 0 }) => {
    const sent = actions.filter(({ action }) => action === 'send');
    return [sent.length, sent.reduce((sum, { bytes = 0 }) => sum + bytes, 0), unchanged];
  });
}

function pushedOf(pushed: Pushed | undefined): (readonly number[])[] {
  return pushed === undefined ? [] : [[pushed.moved, pushed.movedBytes, pushed.present]];
}

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
    const fromPreflight = ['preflight', 'serve', 'ask', 'name-images', 'mirror', 'apply', 'remember', 'retire-mirrors'];
    expect(await changed((read) => read)).toEqual([]);
    expect(await changed((read) => ({ ...read, variables: { A: 'b' } }))).toEqual(['render', ...fromPreflight]);
    const site = { solution: 'hello', component: 'web', values: [], secrets: [], patches: [] };
    expect(await changed((read) => ({ ...read, sites: [site] }))).toEqual([
      'check-sites',
      'survey',
      'render',
      ...fromPreflight,
    ]);
    expect(await changed((read) => ({ ...read, configuration: 'other' }))).toEqual(fromPreflight);
    const elsewhere = (read: { readonly archives: readonly object[] }): object => ({
      ...read,
      archives: read.archives.map((archive) => ({ ...archive, path: '/elsewhere.iso' })),
    });
    expect(await changed(elsewhere)).toEqual([]);
    expect((await plan(elsewhere))[0]!.subject).toBe('/elsewhere.iso');
  });
});

test('an install renders everything, and looks at everything, before it moves an image', async () => {
  const installs = flows.filter(({ name }) => name.startsWith('an install'));
  for (const flow of installs) {
    const kinds = await inWorld(flow, async (open) => open.kinds);
    const moving = kinds.findIndex((kind) => ['serve', 'ask', 'push-images', 'place-images'].includes(kind));
    expect([flow.name, kinds.indexOf('render') < moving, kinds.indexOf('preflight') < moving]).toEqual([
      flow.name,
      true,
      true,
    ]);
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
