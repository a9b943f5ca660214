import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { InstallerRequest } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import type { Io } from './io.ts';

/** Options that say which programs an archive brings along. */
export interface InstallerOptions {
  readonly withInstaller?: boolean | string;
  readonly installerFrom?: string;
}

/** Adds the options of `InstallerOptions`. */
export function installerFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--with-installer [platforms]',
        'include solpack, helm and kubectl in bin/, for linux/amd64, linux/arm64 or both, with a comma between ' +
          '(default: those of --installer-from, or this machine)',
      ),
    )
    .option(
      '--installer-from <dir>',
      'take them from linux-amd64/, linux-arm64/ in this folder, and the keys *.pub; for this machine, what it lacks ' +
        'is this executable, and helm and kubectl on PATH',
    );
}

/** What was asked for, and the definition where that was taken for a platform. */
export interface AskedInstaller {
  readonly installer: InstallerRequest | undefined;
  readonly definition: string | undefined;
}

/**
 * Returns the programs that were asked for. What follows `--with-installer` is the definition, where there is such a
 * file or folder, and nothing else names one. Throws `usage-invalid`.
 */
export function installerOf(
  io: Io,
  { withInstaller, installerFrom }: InstallerOptions,
  hasDefinition: boolean,
): AskedInstaller {
  if (withInstaller === undefined) {
    if (installerFrom === undefined) return { installer: undefined, definition: undefined };
    throw usage('--installer-from', 'has no effect without --with-installer', 'add --with-installer');
  }
  const named = typeof withInstaller === 'string' ? withInstaller.split(',') : undefined;
  const isDefinition = named !== undefined && !hasDefinition && existsSync(absolute(io, `${withInstaller}`));
  const installer = {
    platforms: isDefinition ? undefined : named,
    folder: installerFrom === undefined ? undefined : absolute(io, installerFrom),
    executable: io.executable,
  };
  return { installer, definition: isDefinition ? `${withInstaller}` : undefined };
}
