import type { Digest } from '../../../formats/digest.ts';
import type { Flow } from '../events/index.ts';
import type { Foreseen, ForeseenAction } from './foreseen.ts';
import type { Given, Product, Step, StepKind, Work } from './step.ts';

/** What a step has given. */
interface Output {
  readonly name: Digest;
  readonly product: Product<unknown>;
  readonly value: unknown;
}

/** How steps are run. */
export interface RunnerOptions<Means> {
  /** Every kind that `steps` are of. */
  readonly kinds: readonly StepKind<never, Means>[];
  readonly means: Means;
  /** What somebody has confirmed that steps do, by their names. Left out: nobody was asked. */
  readonly confirmed?: ReadonlyMap<Digest, readonly ForeseenAction[]> | undefined;
  /**
   * What steps have given already, by their names, as `foreseeSteps` tells it: these are not run again. Left out:
   * nothing.
   */
  readonly given?: ReadonlyMap<Digest, unknown> | undefined;
  /** Called by `runSteps` before the first step that changes something; before its end if none does. */
  readonly begin?: (() => Promise<void>) | undefined;
}

/**
 * Runs the steps of a plan in their order, and then `conclude` with all that they gave, while what they keep is still
 * there. The first failure ends it. No record of what was done is kept between runs: each step finds that out, so that
 * a run which was ended anywhere is continued by the next one. Throws what the steps throw.
 */
export async function runSteps<Means, Result>(
  steps: readonly Step[],
  options: RunnerOptions<Means>,
  flow: Flow,
  conclude: (given: Given) => Result | Promise<Result>,
): Promise<Result> {
  let { begin } = options;
  const beginOnce = async (): Promise<void> => {
    const first = begin;
    begin = undefined;
    await first?.();
  };
  const run: Visit<Means> = async (kind, step, work) => {
    if (kind.foresee !== undefined && !kind.onlyLooks) await beginOnce();
    if (kind.event !== undefined) flow.onEvent({ type: 'step', step: kind.event, subject: step.subject });
    return kind.run(step, work);
  };
  return walk(steps, options, flow, run, async (given) => {
    await beginOnce();
    return conclude(given);
  });
}

/** A step, and what it will do, and what it has given already. */
export interface ForeseenStep extends Omit<Foreseen, 'output'> {
  readonly step: Step;
  /** Left out for what would change something, and what follows such a step: what that gives was only foreseen. */
  readonly given?: { readonly output: unknown };
}

/** Goes through the steps that `runSteps` would run, and finds out what each of them would do. Nothing is changed. */
export async function foreseeSteps<Means>(
  steps: readonly Step[],
  options: RunnerOptions<Means>,
  flow: Flow,
): Promise<readonly ForeseenStep[]> {
  const all: ForeseenStep[] = [];
  const ran = new Set<Digest>();
  const foresee: Visit<Means> = async (kind, step, work) => {
    if (kind.event !== undefined) {
      const subject = kind.foresee === undefined ? step.subject : `${kind.event} ${step.subject}`;
      flow.onEvent({ type: 'step', step: kind.foresee === undefined ? kind.event : 'plan', subject: subject });
    }
    let keeps = false;
    const keep: typeof work.keep = (resource) => {
      keeps = true;
      work.keep(resource);
    };
    const own = { ...work, keep };
    const known: Foreseen = (await kind.foresee?.(step, own)) ?? { output: await kind.run(step, own), actions: [] };
    const { output, ...rest } = known;
    // What it keeps is released once all is foreseen.
    const isRun = kind.foresee === undefined && !keeps && step.after.every((name) => ran.has(name));
    if (isRun) ran.add(step.name);
    all.push({ step, ...rest, ...(isRun ? { given: { output } } : {}) });
    return output;
  };
  return walk(steps, options, flow, foresee, () => all);
}

type Visit<Means> = (kind: StepKind<never, Means>, step: Step, work: Work<Means>) => Promise<unknown>;

async function walk<Means, Result>(
  steps: readonly Step[],
  { kinds, means, confirmed, given: before }: RunnerOptions<Means>,
  flow: Flow,
  visit: Visit<Means>,
  conclude: (given: Given) => Result | Promise<Result>,
): Promise<Result> {
  const byKind = new Map(kinds.map((one) => [one.kind, one]));
  const kept: AsyncDisposable[] = [];
  const keep = (resource: AsyncDisposable): number => kept.push(resource);
  const outputs: Output[] = [];
  try {
    for (const step of steps) {
      const kind = byKind.get(step.kind);
      if (kind === undefined) throw new Error(`no step of kind ${step.kind} is known`);
      if (before?.has(step.name)) {
        outputs.push({ name: step.name, product: kind.gives, value: before.get(step.name) });
        continue;
      }
      const taken = givenBy(outputs.filter(({ name }) => step.after.includes(name)));
      const value = await visit(kind, step, { ...taken, means, flow, keep, confirmed: confirmed?.get(step.name) });
      outputs.push({ name: step.name, product: kind.gives, value });
    }
    const result = await conclude(givenBy(outputs));
    await releaseAll(kept.splice(0));
    return result;
  } catch (error) {
    // Why it failed is what counts, and not what else went wrong after that.
    await releaseAll(kept).catch(() => undefined);
    throw error;
  }
}

/** Releases resources, the last one first, and each of them even where another one fails. Throws the first failure. */
async function releaseAll(kept: readonly AsyncDisposable[]): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  for (const resource of kept.toReversed()) {
    try {
      await resource[Symbol.asyncDispose]();
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
}

function givenBy(outputs: readonly Output[]): Given {
  // A kind gives values of its product's type: `StepKind` ties `gives` to what `run` returns.
  const all = <Value>(wanted: Product<Value>): Value[] =>
    outputs.filter(({ product }) => product === wanted).map(({ value }) => value as Value);
  return {
    all,
    one: (wanted) => {
      const found = all(wanted);
      if (found.length !== 1) throw new Error(`${found.length} steps give ${wanted.product}, where one has to`);
      return found[0]!;
    },
  };
}
