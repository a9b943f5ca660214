import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runtimes } from '../../lib/parts/mirrors/runtime-config.ts';
import { smallSolution, solpack, starts, succeeds, writeFiles } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('print-config');
const cwd = folder;

beforeAll(async () => {
  await smallSolution(folder);
  await succeeds(['pack', '.', '-o', 'hello.iso'], { cwd });
});

describe('serve --print-config', () => {
  test.each(runtimes)('%s is printed, and nothing is served', async (runtime) => {
    const args = ['serve', 'hello.iso', '--print-config', runtime];
    const printed = await succeeds([...args, '--listen', '127.0.0.1:5999'], { cwd });
    expect(printed).toContain(runtime === 'docker' ? '{' : '127.0.0.1:5999');
    if (runtime !== 'docker') expect(printed).toContain('registry.example.com');
    const { config } = JSON.parse(await succeeds([...args, '--listen', '127.0.0.1:5999', '--json'], { cwd }));
    expect(`${config}\n`).toBe(printed);
  });

  test('names this machine where every address is listened on', async () => {
    const args = ['serve', 'hello.iso', '--print-config', 'k3s', '--listen', '0.0.0.0:5000'];
    expect(await succeeds(args, { cwd })).toContain('http://127.0.0.1:5000');
  });

  test('needs a fixed port, and a runtime that it knows', async () => {
    for (const more of [
      ['k3s', '--listen', '127.0.0.1:0'],
      ['rkt', '--listen', '127.0.0.1:1'],
    ]) {
      expect((await solpack(['serve', 'hello.iso', '--print-config', ...more], { cwd })).code).toBe(2);
    }
  });

  judged('podman: skopeo, which reads the same file, pulls by the name of the image', ['skopeo'], async () => {
    await using serving = await starts(['serve', 'hello.iso', '--listen', '127.0.0.1:0'], { cwd });
    const args = ['serve', 'hello.iso', '--print-config', 'podman', '--listen', serving.first.slice(7)];
    writeFiles(folder, { '.config/containers/registries.conf': await succeeds(args, { cwd }) });
    const env = { HOME: folder };
    const name = 'docker://registry.example.com/hello/web:1.0.0';
    await ok('skopeo', ['copy', '--all', name, `dir:${join(folder, 'pulled')}`], { env });
  });
});
