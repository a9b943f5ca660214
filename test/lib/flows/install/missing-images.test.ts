import { expect, test } from 'vitest';
import { requireImages } from '../../../../lib/flows/install/missing-images.ts';
import type { ForeignImage } from '../../../../lib/shared/rendering/render.ts';
import { testFlow } from '../../../support/flow.ts';

const missing = (count: number): ForeignImage[] =>
  Array.from({ length: count }, (_, index) => ({ image: `a.example/${index}:1`, component: 'web', archive: '/a.iso' }));

test('images that are needed are named with their component, the first few of many', () => {
  const refusal = (count: number): unknown => {
    try {
      return requireImages(missing(count), true, testFlow());
    } catch (error) {
      return error;
    }
  };
  expect(refusal(0)).toBeUndefined();
  expect(refusal(1)).toMatchObject({
    code: 'image-missing',
    exit: 5,
    subject: '/a.iso',
    message: expect.stringMatching(/a\.example\/0:1 \(component web\)$/),
  });
  expect(refusal(9)).toMatchObject({ message: expect.stringMatching(/a\.example\/4:1 \(component web\) and 4 more$/) });
});

test('images that are not needed are reported, each of them', () => {
  const flow = testFlow();
  requireImages(missing(9), false, flow);
  expect(flow.events).toHaveLength(9);
  expect(flow.events[0]).toMatchObject({ type: 'notice', subject: 'a.example/0:1' });
});
