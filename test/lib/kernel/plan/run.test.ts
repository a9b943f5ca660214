import { describe, expect, test } from 'vitest';
import { planSteps } from '../../../../lib/kernel/plan/make.ts';
import { foreseeSteps, runSteps } from '../../../../lib/kernel/plan/run.ts';
import type { Product, StepKind, Work } from '../../../../lib/kernel/plan/step.ts';
import { testFlow } from '../../../support/flow.ts';

const number: Product<number> = { product: 'number' };
const sum: Product<number> = { product: 'sum' };

type Kind = StepKind<readonly number[], string[]>;

const give: Kind = {
  kind: 'give',
  takes: [],
  gives: number,
  plan: (numbers) => numbers.map((value) => ({ subject: String(value), inputs: { value } })),
  run: async ({ inputs }) => (inputs as { readonly value: number }).value,
};

/** Adds up what was given, as `work` does, once. */
function add(work: (work: Work<string[]>) => Promise<number> | number): Kind {
  return {
    kind: 'add',
    takes: [number],
    gives: sum,
    event: 'add',
    plan: () => [{ subject: 'all', inputs: null }],
    run: async (_, own) => work(own),
  };
}

/** A resource that notes in the means when it is released. */
function noting({ means, keep }: Work<string[]>, name: string, failure?: Error): void {
  const release = async (): Promise<void> => {
    means.push(`released ${name}`);
    if (failure) throw failure;
  };
  keep({ [Symbol.asyncDispose]: release });
}

function run(kinds: readonly Kind[], numbers: readonly number[], means: string[] = []): Promise<number> {
  return runSteps(planSteps(kinds, numbers), { kinds, means }, testFlow(), ({ one }) => {
    means.push('concluded');
    return one(sum);
  });
}

test('a step sees what the steps that it comes after gave, in their order', async () => {
  const seen: number[][] = [];
  const adding = add(({ all }) => {
    seen.push([...all(number)]);
    return all(number).reduce((total, one) => total + one, 0);
  });
  expect(await run([give, adding], [3, 1, 2])).toBe(6);
  expect(seen).toEqual([[3, 1, 2]]);
  const [, , , last] = planSteps([give, adding], [3, 1, 2]);
  const alone = [{ ...last!, after: [] }];
  const flow = testFlow();
  await runSteps(alone, { kinds: [adding], means: [] }, flow, () => undefined);
  expect(seen[1]).toEqual([]);
  expect(flow.events).toEqual([{ type: 'step', step: 'add', subject: 'all' }]);
});

test('a step that is foreseen is not told as one that is done; one that changes nothing is done', async () => {
  const flow = testFlow();
  const counting = add(() => 1);
  const foreseeing: Kind = { ...counting, foresee: async () => ({ output: 1, actions: [] }) };
  for (const kind of [foreseeing, counting]) {
    await foreseeSteps(planSteps([give, kind], []), { kinds: [give, kind], means: [] }, flow);
  }
  expect(flow.events).toEqual([
    { type: 'step', step: 'plan', subject: 'add all' },
    { type: 'step', step: 'add', subject: 'all' },
  ]);
});

test('one of a product is wanted where there has to be one', async () => {
  const adding = add(({ one }) => one(number));
  expect(await run([give, adding], [5])).toBe(5);
  await expect(run([give, adding], [])).rejects.toThrow('0 steps give number');
  await expect(run([give, adding], [5, 6])).rejects.toThrow('2 steps give number');
});

test('a step of a kind that nobody knows is a mistake', async () => {
  const steps = planSteps([give], [1]);
  await expect(runSteps(steps, { kinds: [], means: [] }, testFlow(), () => 0)).rejects.toThrow('kind give');
});

describe('what steps keep', () => {
  test('is there until all is concluded, and is released last one first', async () => {
    const means: string[] = [];
    const adding = add((work) => {
      for (const name of ['first', 'second']) noting(work, name);
      return 0;
    });
    await run([give, adding], [1], means);
    expect(means).toEqual(['concluded', 'released second', 'released first']);
  });

  test('is released where a step fails, and where another resource does', async () => {
    const means: string[] = [];
    const failing = add((work) => {
      noting(work, 'first');
      noting(work, 'second', new Error('stuck'));
      throw new Error('failed');
    });
    await expect(run([give, failing], [1], means)).rejects.toThrow('failed');
    expect(means).toEqual(['released second', 'released first']);
    const stuck: string[] = [];
    const leaving = add((work) => {
      noting(work, 'first');
      noting(work, 'second', new Error('stuck'));
      return 0;
    });
    await expect(run([give, leaving], [1], stuck)).rejects.toThrow('stuck');
    expect(stuck).toEqual(['concluded', 'released second', 'released first']);
  });
});

describe('what was foreseen', () => {
  const foreseen = async (kinds: readonly Kind[]) => {
    const steps = planSteps(kinds, [3, 4]);
    const all = await foreseeSteps(steps, { kinds, means: [] }, testFlow());
    return {
      steps,
      given: new Map(all.flatMap(({ step, given }) => (given ? [[step.name, given.output] as const] : []))),
    };
  };

  test('is not run again where it changes nothing, and comes after nothing that does', async () => {
    const means: string[] = [];
    const adding = add(({ all }) => {
      means.push('added');
      return all(number).reduce((total, one) => total + one, 0);
    });
    const { steps, given } = await foreseen([give, adding]);
    expect([...given.values()]).toEqual([3, 4, 7]);
    const flow = testFlow();
    expect(await runSteps(steps, { kinds: [give, adding], means, given }, flow, ({ one }) => one(sum))).toBe(7);
    expect([means, flow.events]).toEqual([['added'], []]);
  });

  test('is run where it would have changed something, comes after that, or kept something', async () => {
    const changing: Kind = { ...give, foresee: async () => ({ output: 0, actions: [] }) };
    expect((await foreseen([changing, add(() => 1)])).given.size).toBe(0);
    const keeping = add((work) => {
      noting(work, 'it');
      return 1;
    });
    expect([...(await foreseen([give, keeping])).given.values()]).toEqual([3, 4]);
  });
});

describe('what is begun with', () => {
  const changing = (means: string[]): Kind => ({
    ...add(() => {
      means.push('changed');
      return 1;
    }),
    foresee: async () => ({ output: 1, actions: [] }),
  });
  const begun = (means: string[], kinds: readonly Kind[]): Promise<void> => {
    const begin = async (): Promise<void> => void means.push('begun');
    return runSteps(planSteps(kinds, [1]), { kinds, means, begin }, testFlow(), () => void means.push('concluded'));
  };

  test('comes once, right before the first step that changes something', async () => {
    const means: string[] = [];
    const looking: Kind = { ...give, run: async () => means.push('looked') };
    await begun(means, [looking, changing(means), { ...changing(means), kind: 'again' }]);
    expect(means).toEqual(['looked', 'begun', 'changed', 'changed', 'concluded']);
  });

  test('comes after a step that only looks, though it foresees', async () => {
    const means: string[] = [];
    await begun(means, [give, { ...changing(means), onlyLooks: true }]);
    expect(means).toEqual(['changed', 'begun', 'concluded']);
  });

  test('does not come where a step before fails', async () => {
    const means: string[] = [];
    const failing: Kind = { ...give, run: () => Promise.reject(new Error('no disc')) };
    await expect(begun(means, [failing, changing(means)])).rejects.toThrow('no disc');
    expect(means).toEqual([]);
  });
});
