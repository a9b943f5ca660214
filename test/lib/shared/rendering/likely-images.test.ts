import { expect, test } from 'vitest';
import type { Flow } from '../../../../lib/kernel/events/flow.ts';
import { requireLikely } from '../../../../lib/shared/rendering/likely-images.ts';
import type { UsedImage } from '../../../../lib/shared/rendering/used-images.ts';

const used = (reference: string, path: string, changes: Partial<UsedImage> = {}): UsedImage => ({
  reference,
  certainty: 'likely',
  pulled: true,
  archive: 'solution.toml',
  component: 'operator',
  object: 'Deployment/a/operator',
  path,
  held: false,
  external: false,
  target: undefined,
  rewritten: false,
  ...changes,
});

const told = (images: readonly UsedImage[]): string[] => {
  const notices: string[] = [];
  const onEvent = (event: { readonly type: string; readonly subject?: string; readonly message?: string }): void => {
    notices.push(`${event.type} ${event.subject}: ${event.message}`);
  };
  requireLikely(images, false, { onEvent } as unknown as Flow);
  return notices;
};

test('an image that objects seem to use in several places is reported once', () => {
  const where = 'seems to be used by component operator (Deployment/a/operator, env.0)';
  expect(told([used('a:1', 'env.0'), used('b:1', 'env.0'), used('a:1', 'env.1'), used('a:1', 'env.2')])).toEqual([
    `notice a:1: ${where} and in 2 more places, but is not in solution.toml`,
    `notice b:1: ${where}, but is not in solution.toml`,
  ]);
  expect(told([used('a:1', 'env.0'), used('a:1', 'env.1')])).toEqual([
    `notice a:1: ${where} and in 1 more place, but is not in solution.toml`,
  ]);
});

test('an image that containers run as well is left to whoever looks for these', () => {
  expect(told([used('a:1', 'annotations.image'), used('a:1', 'image', { certainty: 'certain' })])).toEqual([]);
});

test('all places are named where what only seems to be used is refused', () => {
  const images = [used('a:1', 'env.0'), used('a:1', 'env.1')];
  expect(() => requireLikely(images, true, { onEvent: () => undefined } as unknown as Flow)).toThrow(/env\.0.*env\.1/);
});
