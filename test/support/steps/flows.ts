import type { Event } from '../../../lib/kernel/events/events.ts';
import type { Flow } from '../../../lib/kernel/events/flow.ts';
import { planSteps } from '../../../lib/kernel/plan/make.ts';
import { type ForeseenStep, foreseeSteps, runSteps } from '../../../lib/kernel/plan/run.ts';
import type { Step, StepKind, Work } from '../../../lib/kernel/plan/step.ts';
import { testFlow } from '../flow.ts';

/** What a flow has read, and works with. */
export interface Reading<Read, Means> {
  readonly read: Read;
  readonly means: Means;
}

/** A place that plans change something in: folders, a registry, a cluster. */
export interface World<Read, Means> extends AsyncDisposable {
  /** The kinds of the flow's steps, in the order of its list. */
  readonly kinds: readonly StepKind<Read, Means>[];
  /** Reads what is there, and works with that until `work` has ended. */
  reading<T>(flow: Flow, work: (reading: Reading<Read, Means>) => Promise<T>): Promise<T>;
  /** What is there now, without what differs between two worlds in which the same was done. */
  content(): unknown;
  /** The same with all that changes where something is done again: dates of files, versions of objects. */
  versions(): unknown;
}

/** How a run ends early: the flow is aborted while a step is at it, or the process is gone after a step. */
export type Mishap = 'while' | 'after';

/** What was planned and told in a run. */
export interface Ran {
  readonly steps: readonly Step[];
  /** The events that were reported while steps of each kind were run: the `step` of each, once. */
  readonly told: ReadonlyMap<string, readonly string[]>;
  /** What each step gave, by its kind. */
  readonly gave: ReadonlyMap<string, unknown>;
  /** Whether it came to grief. */
  readonly stopped: boolean;
}

/** A flow that is a list of steps, with worlds to run it in. */
export interface StepFlow {
  readonly name: string;
  open(name: string): Promise<OpenFlow>;
}

/** The same in one world. */
export interface OpenFlow extends AsyncDisposable {
  /** Kinds of its steps, in the order of the list. */
  readonly kinds: readonly string[];
  /** Plans what `change` makes of that which is read. */
  plan(change?: (read: never) => object): Promise<readonly Step[]>;
  /** Plans and runs; `mishap` comes between at the step of that number. */
  run(mishap?: { readonly at: number; readonly kind: Mishap }): Promise<Ran>;
  /** Finds out what a run would do. */
  foresee(): Promise<readonly ForeseenStep[]>;
  content(): unknown;
  versions(): unknown;
}

const stop = new Error('stopped by the test');

/** Makes a flow of its worlds. */
export function stepFlow<Read extends object, Means>(
  name: string,
  make: (name: string) => Promise<World<Read, Means>>,
): StepFlow {
  const open = async (own: string): Promise<OpenFlow> => {
    const world = await make(own);
    return {
      kinds: world.kinds.map(({ kind }) => kind),
      plan: (change = (read) => read) =>
        world.reading(testFlow(), async ({ read }) => planSteps(world.kinds, change(read as never) as Read)),
      run: (mishap) => runIn(world, mishap),
      foresee: () =>
        world.reading(testFlow(), ({ read, means }) =>
          foreseeSteps(planSteps(world.kinds, read), { kinds: world.kinds, means }, testFlow()),
        ),
      content: world.content,
      versions: world.versions,
      [Symbol.asyncDispose]: world[Symbol.asyncDispose],
    };
  };
  return { name, open };
}

async function runIn<Read, Means>(
  world: World<Read, Means>,
  mishap: { readonly at: number; readonly kind: Mishap } | undefined,
): Promise<Ran> {
  const abort = new AbortController();
  let steps: readonly Step[] = [];
  /** The step whose turn it is; what the runner tells of a step comes before that is run. */
  let turn = 0;
  const told = new Map<string, string[]>();
  const gave = new Map<string, unknown>();
  const onEvent = (event: Event): void => {
    const kind = steps[turn]?.kind;
    if (kind === undefined || event.type !== 'step') return;
    told.set(kind, [...new Set([...(told.get(kind) ?? []), event.step])]);
    if (mishap?.kind === 'while' && mishap.at === turn) abort.abort(stop);
  };
  const watched = world.kinds.map((kind) => ({
    ...kind,
    run: async (step: Step, work: Work<Means>): Promise<unknown> => {
      const output = await kind.run(step, work);
      gave.set(kind.kind, output);
      if (mishap?.kind === 'after' && mishap.at === turn) throw stop;
      turn += 1;
      return output;
    },
  }));
  const flow: Flow = { ...testFlow(), signal: abort.signal, onEvent };
  return world.reading(flow, async ({ read, means }) => {
    steps = planSteps(world.kinds, read);
    const stopped = await runSteps(steps, { kinds: watched, means }, flow, () => false).catch((error: unknown) => {
      if (error !== stop) throw error;
      return true;
    });
    return { steps, told, gave, stopped };
  });
}
