import type { Command } from 'commander';
import { overview } from '../lib/command.ts';
import { exits, SolpackError } from '../lib/index.ts';
import { commandFlow } from './command-flow.ts';
import { clusterOf } from './generations.ts';
import type { Io } from './io.ts';
import { printLines, readable } from './lines.ts';
import { EVERY_DAY } from './option-groups.ts';
import { findProfile, pathIn } from './profile.ts';
import { overviewView } from './view/overview.ts';
import { styleFor } from './view/style.ts';

/** Prints what there is around a user who has typed `solpack` alone, and what to do next. Returns the exit code. */
export async function printOverview(program: Command, io: Io): Promise<number> {
  const flow = commandFlow(io, () => undefined);
  const profile = await findProfile(io).catch((error: unknown) => {
    if (error instanceof SolpackError) return error;
    throw error;
  });
  const own = profile instanceof SolpackError ? undefined : profile;
  const kubeconfig = pathIn(own, 'kubeconfig');
  const found = await overview(
    { folder: io.cwd, ...(kubeconfig === undefined ? {} : { cluster: () => clusterOf(io, { kubeconfig }) }) },
    flow,
  );
  const commands = program.commands.filter((one) => one.helpGroup() === EVERY_DAY);
  const shown = {
    found,
    profile,
    folder: io.cwd,
    commands: commands.map((one) => [one.name(), one.summary()] as const),
  };
  printLines(io.stdout, readable(overviewView(shown, styleFor(io.stdout, io.env)), io.stdout));
  return exits.ok;
}
