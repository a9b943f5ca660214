import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { starts, succeeds } from '../support/cli.ts';
import type { TestImage } from '../support/image.ts';
import { scratch } from '../support/judges.ts';
import { hashed, largeSolution } from '../support/large.ts';
import { fieldOf, listenerOn } from '../support/processes.ts';
import { PATIENCE } from '../support/until.ts';

const folder = scratch('serve-soak');
const clients = join(import.meta.dirname, '../support/soak-clients.ts');
const MIB = 1024 * 1024;
/** How long it goes on, in milliseconds. */
const MINUTE = 60_000;
let image: TestImage;

beforeAll(async () => {
  image = await largeSolution(folder, 12 * MIB);
  await succeeds(['pack', '.', '-o', 'load.iso'], { cwd: folder });
});

// Clock: clients come at intervals.
const pause = (milliseconds: number): Promise<void> => new Promise((settle) => setTimeout(settle, milliseconds));

test('2,000 slow, idle and broken clients for a minute keep nobody from 32 downloads, nor from probes', async () => {
  await using serving = await starts(['serve', 'load.iso', '--listen', '127.0.0.1:0'], { cwd: folder });
  const pid = listenerOn(new URL(serving.first).port);
  const [digest] = [...image.blobs].find(([, bytes]) => bytes.length > 10 * MIB)!;
  const path = `/v2/load/web/blobs/${digest}`;
  const bad = spawn(process.execPath, [clients, serving.first, path, '2000'], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await new Promise((settle) => bad.stdout.once('data', settle));
    // Clock: the load lasts for a while, however much is done in it.
    const end = performance.now() + MINUTE;
    const pulled: string[] = [];
    const download = async (): Promise<void> => {
      do {
        pulled.push(await hashed(`${serving.first}${path}`));
        await pause(5000);
        // Clock: it lasts as long as the load does.
      } while (performance.now() < end);
    };
    let probes = 0;
    const probe = async (): Promise<void> => {
      // Clock: it lasts as long as the load does.
      while (performance.now() < end) {
        const answer = await fetch(`${serving.first}/healthz`, { signal: AbortSignal.timeout(PATIENCE) });
        expect(answer.status).toBe(200);
        probes += 1;
        await pause(250);
      }
    };
    await Promise.all([probe(), ...Array.from({ length: 32 }, download)]);
    expect(pulled.length).toBeGreaterThanOrEqual(32);
    expect(new Set(pulled)).toEqual(new Set([digest]));
    expect(fieldOf(pid, 'status', 'VmHWM') / 1024).toBeLessThan(256);
    expect(probes).toBeGreaterThan(1);
    const metrics = await (await fetch(`${serving.first}/metrics`)).text();
    expect(metrics).toContain('\nsolpack_problems_total 0\n');
    expect(serving.said()).toBe('');
  } finally {
    bad.kill('SIGKILL');
  }
});
