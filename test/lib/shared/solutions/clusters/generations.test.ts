import { expect, test } from 'vitest';
import type { Generation } from '../../../../../lib/parts/clusters/index.ts';
import { configurationNamed, generationToReturnTo } from '../../../../../lib/shared/solutions/clusters/generations.ts';
import { testFlow } from '../../../../support/flow.ts';

/** Generations as `history` tells of them, the newest first: `4 ready`, `5 interrupted of 2`. */
const remembered = (...told: readonly string[]): Generation[] =>
  told.map((one) => {
    const [number, state, , of] = one.split(' ');
    const cause = of === undefined ? 'install' : 'rollback';
    const base = { at: '2026-01-01T00:00:00Z', by: 'ada', host: 'edge', reason: undefined, configuration: undefined };
    return {
      ...{ ...base, number: Number(number), state: state as Generation['state'], cause, solutions: [] },
      of: of === undefined ? undefined : Number(of),
    };
  });

const chosen = (all: readonly Generation[], number?: number): number =>
  generationToReturnTo('edge', all, number).number;

test('the generation to go back to is the newest before the present that went well', () => {
  expect(chosen(remembered('3 ready', '2 failed', '1 ready'))).toBe(1);
  expect(chosen(remembered('3 failed', '2 ready', '1 ready'))).toBe(2);
  expect(chosen(remembered('3 interrupted', '2 ready', '1 ready'))).toBe(2);
  expect(chosen(remembered('3 ready of 1', '2 ready', '1 ready'))).toBe(2);
});

test('a return that did not end well is completed by the same command, and not undone', () => {
  expect(chosen(remembered('3 interrupted of 1', '2 ready', '1 ready'))).toBe(1);
  expect(chosen(remembered('3 failed of 1', '2 ready', '1 ready'))).toBe(1);
  expect(chosen(remembered('4 interrupted of 1', '3 interrupted of 1', '2 ready', '1 ready'))).toBe(1);
  // What it was to go back to is not remembered any longer.
  expect(chosen(remembered('3 interrupted of 1', '2 ready'))).toBe(2);
});

test('a generation that is named has to have gone well', () => {
  expect(chosen(remembered('3 ready', '2 ready', '1 ready'), 1)).toBe(1);
  expect(() => chosen(remembered('3 ready', '2 failed', '1 ready'), 2)).toThrow(/is failed.*: 3, 1/);
  expect(() => chosen(remembered('1 ready'))).toThrow(/there is no generation before 1/);
});

test('where a cluster has several configurations, the error tells the command that names each', async () => {
  const cluster = { name: 'node', configurations: async () => ['edge', 'core'] };
  await expect(configurationNamed(cluster, undefined, 'solpack rollback --name', testFlow())).rejects.toMatchObject({
    code: 'usage-invalid',
    hint: 'name one of them: solpack rollback --name edge, or solpack rollback --name core',
  });
  await expect(configurationNamed(cluster, 'core', 'solpack history', testFlow())).resolves.toBe('core');
});
