import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Bytes, collect, once } from '../../../../formats/bytes.ts';
import type { ChartFile } from '../../../../formats/chart/write.ts';
import { packFolder } from '../../../../lib/parts/components/packed-chart.ts';

const MiB = 1024 * 1024;
const chartYaml = Buffer.from('apiVersion: v2\nname: web\nversion: 1.2.3\n');
let opened = 0;

function fileOf(path: string, bytes: Uint8Array): ChartFile {
  const open = (): Bytes => {
    opened += 1;
    return once(bytes);
  };
  return { path, mode: 0o644, size: bytes.length, open };
}

describe('a chart that is packed', () => {
  test.each([
    ['once, and kept', 1, 1],
    ['again whenever it is read, where it is large', 3, 3],
  ])('is packed %s', async (_, count, reads) => {
    opened = 0;
    const noise = Array.from({ length: count }, (__, at) => fileOf(`noise-${at}`, randomBytes(4 * MiB)));
    const { size, open } = await packFolder('web', [fileOf('Chart.yaml', chartYaml), ...noise]);
    const [one, two] = [await collect(open(), 100 * MiB), await collect(open(), 100 * MiB)];
    expect([one.length, two.length]).toEqual([size, size]);
    expect(Buffer.compare(one, two)).toBe(0);
    expect(opened).toBe(reads * (count + 1));
  });
});
