import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { controlPlaneTest } from '../control-plane.ts';
import type { Outcome } from '../judges.ts';

/**
 * What a command stands after to run on a host of its own: with a name of the host and process numbers of its own, so
 * that no command on another host can see whether it still runs.
 */
export function onHost(host: string): readonly string[] {
  const named = 'echo "$0" >/proc/sys/kernel/hostname && "$@"; exit $?';
  return ['unshare', '-r', '--pid', '--uts', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', named, host];
}

/** A test that needs hosts of its own; where they cannot be had it is named in the closing list "not judged here". */
export function twoHostsTest(name: string, work: () => Promise<void>): void {
  controlPlaneTest(name, async (context: TestContext) => {
    const [program = '', ...words] = onHost('a');
    const can = spawnSync(program, [...words, 'true']).status === 0;
    if (!can && process.env['SOLPACK_REQUIRE_TOOLS'] !== '1') return context.skip('needs namespaces of processes');
    return work();
  });
}

/** Tells how a command ended: `done`, or the code of its error. */
export function ending({ code, stderr }: Outcome): string {
  return code === 0 ? 'done' : (/\[([a-z-]+)\]\s*$/.exec(stderr)?.[1] ?? `${code} ${stderr}`);
}
