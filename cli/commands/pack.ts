import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type ByteSink, type CarrierKind, type LockMode, pack, SolpackError } from '../../lib/index.ts';
import { apiVersionsOption, givenApiVersions } from '../api-versions.ts';
import { absolute, definitionPath, repeated, sourceDateEpoch, usage } from '../arguments.ts';
import { daemons } from '../daemons.ts';
import { type InstallerOptions, installerFlags, installerOf } from '../installer.ts';
import type { Io } from '../io.ts';
import { type KeyOptions, passphraseFileOption, passphraseHelp, signerOf, signerOption } from '../keys.ts';
import { printResult } from '../output.ts';
import { basePlaces } from '../place.ts';
import {
  plainHttpOption,
  type RegistryFlags,
  registryConnections,
  registryEnvironment,
  registryFlags,
} from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { packView } from '../view/archive.ts';

interface Options extends CommonOptions, KeyOptions, RegistryFlags, InstallerOptions {
  readonly output: string;
  readonly format?: CarrierKind;
  readonly resume?: boolean;
  readonly sync: boolean;
  readonly workers?: number;
  readonly sign?: string;
  readonly lock?: string;
  readonly locked?: boolean;
  readonly strict?: boolean;
  readonly apiVersions?: string[];
  readonly update?: boolean | string;
  readonly allowForeignLayers?: boolean;
  readonly metalk8s?: boolean;
  readonly base?: string[];
}

const formats: readonly CarrierKind[] = ['iso', 'tar'];

/** Makes the command `solpack pack`. */
export function packCommand(io: Io): Command {
  const command = new Command('pack')
    .summary('make one archive from a definition')
    .description('Resolves everything that a definition names to digests, writes solution.lock, and makes one archive.')
    .argument('[definition]', 'solution.toml, or the folder that holds it', '.')
    .optionsGroup('Archive:')
    .requiredOption('-o, --output <file>', 'the archive to write; its name ends in .iso or .tar; - is standard output')
    .addOption(new Option('--format <format>', 'archive format, if the name does not show it').choices(formats))
    .option('--resume', 'continue with the FILE.partial of an earlier run; if this run fails, keep it')
    .option('--no-sync', 'do not wait until the disk has the archive')
    .addOption(
      new Option('--workers <count>', 'threads that copy local files (default: one for each core, up to 4)').argParser(
        workers,
      ),
    )
    .optionsGroup('Signature:')
    .option('--sign <key>', 'sign with this private key (PEM)')
    .addOption(passphraseFileOption())
    .addOption(signerOption())
    .optionsGroup('What:')
    .option('--lock <file>', 'where the lock is, if not in solution.lock beside the definition')
    .option('--locked', 'refuse what solution.lock does not name')
    .addOption(apiVersionsOption())
    .option('--strict', 'also refuse what only looks like an image that is not in the archive')
    .option(
      '--update [name]',
      'use what the sources hold now instead of what solution.lock says: all, or one image or component',
    )
    .option('--allow-foreign-layers', 'fetch layers that no registry holds from the addresses in their manifests')
    .option(
      '--base <archive>',
      'leave out the layers that this older archive has: makes a delta ("solpack docs delta"); may be repeated',
      repeated,
    )
    .option('--metalk8s', 'make an ISO that the importer of MetalK8s accepts too ("solpack docs metalk8s")')
    .addOption(plainHttpOption());
  return registryFlags(installerFlags(command), false)
    .addHelpText('after', help)
    .action(async (definition: string, options: Options) => {
      const session = commandSession(io, options);
      if (options.locked && options.update) {
        throw new SolpackError('usage-invalid', '--locked', 'contradicts --update', { hint: 'give one of them' });
      }
      const { installer, ...asked } = installerOf(io, options, definition !== '.');
      const chosen = await choose(io, asked.definition ?? definition, options);
      if (options.sign === undefined && (options.signer ?? options.passphraseFile) !== undefined) {
        throw usage(
          options.signer ? '--signer' : '--passphrase-file',
          'has no effect without --sign',
          'add --sign KEY',
        );
      }
      const output = outputOf(io, options);
      const registries = registryConnections(io, options, session.flow);
      const request = {
        definition: chosen.definition,
        output,
        format: options.format,
        resume: options.resume,
        sync: options.sync,
        workers: options.workers,
        created: sourceDateEpoch(io),
        lock: chosen.lock,
        lockFile: options.lock === undefined ? undefined : absolute(io, options.lock),
        allowForeignLayers: options.allowForeignLayers,
        strict: options.strict,
        apiVersions: givenApiVersions(options.apiVersions),
        daemons: daemons(io),
        installer,
        metalk8s: options.metalk8s,
        bases: await basePlaces(io, options.base, registries.connect),
        sign: options.sign === undefined ? undefined : await signerOf(io, options.sign, options),
        connect: registries.connect,
        sources: registries.sources,
      };
      const result = await pack(request, session.flow).finally(registries.close);
      // Where the archive goes to standard output, nothing else may.
      printResult(session, options, 'pack', result, packView, typeof output === 'string' ? io.stdout : io.stderr);
    });
}

/**
 * Returns the definition and the mode of its lock. What follows --update is the definition instead of a reference,
 * where it is the only argument and such a file or folder exists.
 */
async function choose(
  io: Io,
  definition: string,
  { locked, update }: Options,
): Promise<{ definition: string; lock: LockMode }> {
  const path = await definitionPath(io, definition);
  if (typeof update !== 'string') {
    return { definition: path, lock: locked ? 'locked' : update ? 'update' : 'use' };
  }
  if (definition === '.' && existsSync(absolute(io, update))) {
    return { definition: await definitionPath(io, update), lock: 'update' };
  }
  return { definition: path, lock: { update } };
}

/** Returns where the archive goes. Throws `usage-invalid` where standard output cannot take it. */
function outputOf(io: Io, { output, format, resume }: Options): string | ByteSink {
  if (output !== '-') return absolute(io, output);
  if (format === undefined)
    throw usage('-o -', 'does not show which archive format to write', 'add --format iso or --format tar');
  if (resume) throw usage('--resume', 'cannot continue what was sent to standard output', 'name a file with -o');
  if (io.stdout.isTTY) {
    throw usage('-o -', 'would write an archive to the terminal', 'pipe it to a program, or name a file');
  }
  return { name: '-', write: (bytes) => io.stdout.send(bytes) };
}

function workers(value: string): number {
  if (/^[1-9][0-9]?$/.test(value)) return Number(value);
  throw usage('--workers', `${JSON.stringify(value)} is not a number from 1 to 99`, 'leave it out to use every core');
}

const help = `
Environment:
  SOURCE_DATE_EPOCH   seconds since 1970 for every date in the archive (default: solution.lock's, or 1980-01-01)
  ${passphraseHelp}
${registryEnvironment}
  CONTAINERD_ADDRESS, CONTAINERD_NAMESPACE, DOCKER_HOST
                      where sources of containerd: and docker-daemon: are found, as for ctr and docker

Examples:
  $ solpack pack -o guestbook-1.1.0.iso
  $ solpack pack ./guestbook -o guestbook-1.1.0.tar --sign release.key --locked
  $ solpack pack -o guestbook-1.1.0.iso --resume
  $ solpack pack -o guestbook-1.1.0.iso --with-installer linux/amd64,linux/arm64 --installer-from programs
  $ solpack pack -o - --format tar | ssh node 'cat > guestbook.tar'`;
