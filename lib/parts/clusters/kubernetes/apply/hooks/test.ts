import { randomBytes } from 'node:crypto';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import type { ChartTest } from '../../../kind.ts';
import type { ApplyPlan } from '../../desired/index.ts';
import type { Applying } from '../../memory/index.ts';
import { wordsOf } from '../../server/index.ts';
import { runEvent } from './run-event.ts';

/**
 * Runs the hooks of `test` of all components, in their order, each of them anew. Returns what they printed. Throws
 * `test-failed` for the first that fails.
 */
export async function runTests({ solutions }: ApplyPlan, session: Applying): Promise<ChartTest[]> {
  const tests: ChartTest[] = [];
  for (const { name: solution, components } of solutions) {
    for (const { name: component, hooks, timeout } of components) {
      const course = {
        ...{ solution, component, previous: undefined, timeout },
        ...{ run: randomBytes(8).toString('hex'), ended: new Set<string>(), note: async () => undefined },
      };
      const ended = await runEvent('test', hooks, course, session, true).catch(asTest);
      tests.push(...ended.map(({ planned, log }) => ({ solution, component, object: wordsOf(planned.name), log })));
    }
  }
  return tests;
}

function asTest(error: unknown): never {
  if (!(error instanceof SolpackError) || error.code !== 'object-not-ready') throw error;
  throw new SolpackError('test-failed', error.subject, error.message, {
    cause: error,
    hint: 'the Solution is installed completely; correct what the test found, then install with --test again',
  });
}
