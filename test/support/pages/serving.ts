import type { ShownServing } from '../../../cli/view/html/serve-page.ts';

/** Makes a registry in which every text is `word` of its number, with so many images and pushed repositories. */
export function shownServingOf(word: (number: number) => string, many = 3): ShownServing {
  let number = 0;
  const next = (): string => word(number++);
  const list = <T>(make: () => T, length = 2): T[] => Array.from({ length }, make);
  return {
    served: {
      archives: list(() => ({ source: next(), name: next(), version: next(), images: list(next, many) })),
      missing: [
        { source: next(), reason: next() },
        { source: next(), reason: undefined },
      ],
      configuration: {
        name: next(),
        solutions: [
          { name: next(), wanted: next(), versions: [next(), next()] },
          { name: next(), wanted: undefined, versions: [] },
        ],
      },
      registries: list(next),
      pushed: list(() => ({ repository: next(), tags: 3 }), many),
      ...{ tls: false, passwords: true, push: 'users' },
    },
    clients: list(() => ({ title: next(), lines: list(next), notices: list(next) })),
    cluster: {
      at: '2026-01-02T03:04:05Z',
      failure: undefined,
      solutions: list(() => ({
        ...{ configuration: next(), name: next(), version: next() },
        ...{ state: 'degraded', ready: 1, objects: 2 },
      })),
    },
  };
}
