import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { exits, overview, type Profile, SolpackError } from '../lib/index.ts';
import { clusterOf } from './generations.ts';
import { IN_CLUSTER } from './in-cluster.ts';
import type { Io } from './io.ts';
import { printLines, readable } from './lines.ts';
import { EVERY_DAY } from './option-groups.ts';
import { findProfile } from './profile.ts';
import { commandSession } from './session.ts';
import { overviewView } from './view/overview.ts';
import { styleFor } from './view/style.ts';

/** Prints what there is around a user who has typed `solpack` alone, and what to do next. Returns the exit code. */
export async function printOverview(program: Command, io: Io): Promise<number> {
  const { flow } = commandSession(io, { quiet: true });
  const profile = await findProfile(io).catch((error: unknown) => {
    if (error instanceof SolpackError) return error;
    throw error;
  });
  const own = profile instanceof SolpackError ? undefined : profile;
  const kubeconfig = clusterOfProfile(own);
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

function clusterOfProfile(profile: Profile | undefined): string | undefined {
  const said = profile?.settings.get('kubeconfig')?.value;
  if (profile === undefined || typeof said !== 'string') return undefined;
  return said === IN_CLUSTER ? said : resolve(dirname(profile.path), said);
}
