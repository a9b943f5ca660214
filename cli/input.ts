import { extname, join } from 'node:path';
import { archivesNamed, isFolder, isThere } from '../lib/command.ts';
import type { Flow, SolutionInput } from '../lib/index.ts';
import { absolute, definitionPath, sourceDateEpoch, usage } from './arguments.ts';
import { daemons } from './daemons.ts';
import type { Io } from './io.ts';
import { archivePlace, type PlaceOptions } from './place.ts';
import { type RegistryFlags, registryConnections } from './registry.ts';
import { type TrustOptions, trustOf } from './trust.ts';

/** Options of commands that read a definition or an archive. */
export interface InputOptions extends PlaceOptions, RegistryFlags, Pick<TrustOptions, 'key' | 'policy'> {}

/** A Solution that a user named, and how to let go of what reads it. */
export interface NamedInput {
  readonly input: SolutionInput;
  close(): Promise<void>;
}

/** Finds out whether a user named a definition, or a folder with one, or an archive. Throws `usage-invalid`. */
export async function solutionInput(io: Io, given: string, options: InputOptions, flow: Flow): Promise<NamedInput> {
  const registries = registryConnections(io, options, flow);
  const close = async (): Promise<void> => void (await registries.close());
  if (!(await isDefinition(io, given))) {
    const trust = await trustOf(io, options, undefined);
    return { input: { archive: await archivePlace(io, given, options, registries.connect), trust }, close };
  }
  if (options.key ?? options.policy) {
    throw usage(options.key ? '--key' : '--policy', 'is for an archive', 'leave it out with a definition');
  }
  const definition = {
    definition: await definitionPath(io, given),
    created: sourceDateEpoch(io),
    lock: 'use' as const,
    daemons: daemons(io),
    connect: registries.connect,
    sources: registries.sources,
  };
  return { input: { definition }, close };
}

async function isDefinition(io: Io, given: string): Promise<boolean> {
  if (extname(given) === '.toml') return true;
  const path = absolute(io, given);
  // A folder without a definition may be one of archives, or where one was mounted or extracted.
  return (await isFolder(path)) && ((await isThere(join(path, 'solution.toml'))) || !(await bringsArchive(path)));
}

async function bringsArchive(path: string): Promise<boolean> {
  return (await archivesNamed(path, { base: path })).places.length > 0;
}
