import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { starts, succeeds } from '../support/cli.ts';
import type { TestImage } from '../support/image.ts';
import { scratch } from '../support/judges.ts';
import { hashed, largeSolution } from '../support/large.ts';
import { fieldOf, listenerOn } from '../support/processes.ts';

const folder = scratch('serve-load');
const cwd = folder;
const MIB = 1024 * 1024;
let image: TestImage;

beforeAll(async () => {
  image = await largeSolution(folder, 30 * MIB);
  await succeeds(['pack', '.', '-o', 'load.iso'], { cwd });
});

describe('64 clients that pull at once', () => {
  test('get the right bytes; less than 256 MiB of memory is used, and no content is written', async () => {
    const before = statSync(join(folder, 'load.iso'));
    await using serving = await starts(['serve', 'load.iso', '--listen', '127.0.0.1:0'], { cwd });
    const pid = listenerOn(new URL(serving.first).port);
    const [digest, { length }] = [...image.blobs].find(([, bytes]) => bytes.length > 20 * MIB)!;
    const url = `${serving.first}/v2/load/web/blobs/${digest}`;
    const pulled = await Promise.all(Array.from({ length: 64 }, () => hashed(url)));
    expect(new Set(pulled)).toEqual(new Set([digest]));
    expect(fieldOf(pid, 'status', 'VmHWM') / 1024).toBeLessThan(256);
    // The system may note on the disk when files were read, which counts as written by who read them.
    expect(fieldOf(pid, 'io', 'write_bytes')).toBeLessThan(length / 64);
    const { mtimeMs, size } = statSync(join(folder, 'load.iso'));
    expect([mtimeMs, size]).toEqual([before.mtimeMs, before.size]);

    const metrics = await (await fetch(`${serving.first}/metrics`)).text();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
    expect(metrics).toContain('solpack_http_requests_total{method="GET",code="200"} 64\n');
    // Of a piece that was cut, some may have come, and some be sent again.
    const twice = value('solpack_http_cut_connections_total') * MIB;
    expect(Math.abs(value('solpack_http_sent_bytes_total') - 64 * length)).toBeLessThanOrEqual(twice);
    expect([value('solpack_archives'), value('solpack_problems_total')]).toEqual([1, 0]);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10 * MIB);
    for (const line of metrics.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9]+)$/);
    }
  });
});
