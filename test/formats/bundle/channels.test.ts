import { expect, test } from 'vitest';
import { readBundleChannels } from '../../../formats/bundle/channels.ts';
import { bundleFiles } from '../../support/operator-bundles.ts';

const channels = (text: string): unknown => readBundleChannels(bundleFiles({ 'metadata/annotations.yaml': text }));

test('the channels of a bundle are those of its annotations, and one of them may be the default', () => {
  const prefix = '  operators.operatorframework.io.bundle';
  expect(
    channels(`annotations:\n${prefix}.channels.v1: "alpha, stable"\n${prefix}.channel.default.v1: stable\n`),
  ).toEqual({
    channels: ['alpha', 'stable'],
    preferred: 'stable',
  });
  expect(channels('annotations: {}\n')).toEqual({ channels: [], preferred: undefined });
  expect(channels('')).toEqual({ channels: [], preferred: undefined });
  expect(readBundleChannels([])).toEqual({ channels: [], preferred: undefined });
  expect(() => channels('a: [')).toThrow();
});
