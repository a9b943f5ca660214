import { describe, expect, test } from 'vitest';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import { sampleImage } from '../../../support/registry.ts';
import { connect, noting } from './faults.ts';
import { type KeepingRegistry, keeping, type Manner } from './pieces.ts';

const image = sampleImage('pieces', 1_000_000);
const { layer } = image;

/** Copies the layer to a registry in pieces of 300,000 bytes, or in one. */
async function pushed(manner: Manner, whole = 0): Promise<KeepingRegistry & { opened: number[]; told: number }> {
  const registry = await keeping(manner);
  const upload = { whole, chunk: 300_000 };
  const target = await connect(registry.host, 'team/web', { upload });
  const source = noting(image);
  let told = 0;
  await copy([[{ descriptor: layer, source }]], target, {
    onBytes: (count) => {
      told += count;
    },
  });
  await target.close();
  return { ...registry, opened: source.opened, told };
}

describe('an upload in pieces', () => {
  test('sends them in order, and closes with nothing', async () => {
    const { requests, blobs, told } = await pushed({});
    expect(requests).toEqual([
      'HEAD',
      'POST',
      'PATCH 0-299999',
      'PATCH 300000-599999',
      'PATCH 600000-899999',
      `PATCH 900000-${layer.size - 1}`,
      'PUT',
    ]);
    expect(blobs.has(layer.digest)).toBe(true);
    expect(told).toBe(layer.size);
  });

  test('keeps to the smallest piece that the registry takes', async () => {
    const { requests } = await pushed({ least: 700_000 });
    expect(requests).toContain('PATCH 0-699999');
  });

  test.each([0, 300_000, 700_000])('goes on where the registry has got to, from %i bytes in one go', async (whole) => {
    const { requests, came, opened, told } = await pushed({ cuts: { 2: 123_456 } }, whole);
    const resumed = requests.findIndex((request) => request.startsWith('GET'));
    expect(requests[resumed + 1]).toBe(`PATCH 423456-723455`);
    // Every byte came once, and was read once but for what the hash was not kept of.
    expect(came()).toBe(layer.size);
    expect(opened).toEqual([0, 0]);
    expect(told).toBe(layer.size);
  });

  test('in one piece goes on too', async () => {
    const { requests, came } = await pushed({ cuts: { 1: 400_000 } }, layer.size);
    expect(requests).toEqual(['HEAD', 'POST', 'PUT', 'HEAD', 'GET', `PUT 400000-${layer.size - 1}`]);
    expect(came()).toBe(layer.size);
  });

  test('begins anew where the registry does not say what it has', async () => {
    const { came, requests } = await pushed({ cuts: { 2: 100_000 }, silent: true });
    expect(came()).toBe(400_000 + layer.size);
    expect(requests.filter((request) => request === 'POST')).toHaveLength(2);
  });

  test('believes a registry once whose range stands still, and then begins anew', async () => {
    await expect(pushed({ stalled: true })).rejects.toMatchObject({ code: 'registry-error', side: 'target' });
  });

  test('breaks off and goes on as often as it gets further', async () => {
    const cuts = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [index + 1, 50_000]));
    const { came } = await pushed({ cuts });
    expect(came()).toBe(layer.size);
  });
});
