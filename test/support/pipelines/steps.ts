import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../judges.ts';
import type { PipelineRun } from './site.ts';

/** A step that a shell does. */
export interface ShellStep {
  readonly name: string;
  /** The shell and its words, before the path or the text of the script. */
  readonly shell: readonly [string, ...string[]];
  readonly script: string;
  env(): Readonly<Record<string, string>>;
}

/** Does steps one after the other in a folder, until one fails, and tells which of `wanted` are there then. */
export async function runSteps(
  steps: readonly ShellStep[],
  cwd: string,
  wanted: readonly string[],
): Promise<PipelineRun> {
  let log = '';
  const kept = (): string[] => wanted.filter((path) => existsSync(join(cwd, path))).sort();
  for (const { name, shell, script, env } of steps) {
    const [program, ...words] = shell;
    const { code, stdout, stderr } = await run(program, [...words, script], { cwd, env: { ...env() } });
    log += `${stdout}${stderr}`;
    if (code !== 0) return { failed: { step: name, code }, log, kept: kept() };
  }
  return { log, kept: kept() };
}
