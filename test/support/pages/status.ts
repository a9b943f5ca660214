import type { ShownStatus } from '../../../cli/view/html/status-page.ts';
import { digestOf } from './described.ts';

/** Makes a status of which everything is amiss that can be, in which every text is `word` of its number. */
export function shownStatusOf(word: (number: number) => string): ShownStatus {
  let number = 0;
  const next = (): string => word(number++);
  const drift = [
    { path: next(), wanted: next(), found: [next()], manager: next(), since: '2026-01-02T03:04:05Z' },
    { path: next(), wanted: 3, found: null, manager: null, since: null },
  ];
  const solution = {
    ...{ name: next(), version: next(), root: undefined, site: undefined },
    ...{ signers: [], archive: next(), images: [] },
  };
  const generation = {
    ...{ by: next(), host: next(), of: undefined, configuration: digestOf(1) },
    cause: 'install' as const,
    solutions: [solution],
  };
  return {
    status: {
      ...{ configuration: next(), generation: 3, at: '2026-01-03T00:00:00Z', state: 'degraded', reason: next() },
      solutions: [
        {
          ...{ name: next(), version: next(), state: 'drifted', reason: next() },
          images: { asked: true, missing: ['image'], reasons: { image: next() } },
          objects: [
            { object: next(), state: 'drifted', reason: next(), drift },
            { object: next(), state: 'degraded', reason: next(), drift: [] },
            { object: next(), state: 'ready', reason: null, drift: [] },
          ],
        },
      ],
      archives: [
        { path: next(), name: null, version: null, active: false, reason: next() },
        { path: next(), name: next(), version: next(), active: true },
      ],
      mirrors: [
        {
          registry: next(),
          path: next(),
          state: 'unreachable',
          reason: next(),
          servers: [{ url: next(), reason: next() }],
        },
      ],
    },
    generations: [
      { ...generation, number: 3, at: '2026-01-03T00:00:00.123Z', state: 'failed', reason: next() },
      {
        ...generation,
        number: 2,
        at: '2026-01-02T00:00:00Z',
        state: 'ready',
        reason: undefined,
        cause: 'rollback',
        of: 1,
      },
      { ...generation, number: 1, at: '2026-01-01T00:00:00Z', state: 'ready', reason: undefined },
    ],
  };
}
