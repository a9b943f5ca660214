import { Command } from 'commander';
import { solutionReference } from '../../lib/command.ts';
import { pull } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import {
  plainHttpOption,
  type RegistryFlags,
  registryConnections,
  registryEnvironment,
  registryFlags,
} from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { pullView } from '../view/push-pull.ts';

interface Options extends CommonOptions, RegistryFlags {
  readonly output: string;
  readonly sync: boolean;
}

/** Makes the command `solpack pull`. */
export function pullCommand(io: Io): Command {
  const command = new Command('pull')
    .summary('pull a Solution from a registry into an archive')
    .description(
      'Rebuilds the archive that "solpack push" has pushed, byte for byte, with the signatures that the ' +
        'registry has of it. All content is checked by the digest of the root; "solpack verify --key" decides ' +
        'whom to trust. If it is interrupted, what it has fetched stays in FILE.partial, and the same command ' +
        'continues with it.',
    )
    .argument('<reference>', 'HOST/REPOSITORY:TAG or HOST/REPOSITORY@DIGEST')
    .requiredOption('-o, --output <file>', 'the archive to write; its name ends in .iso or .tar')
    .option('--no-sync', 'do not wait until the disk has the archive')
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText('after', help)
    .action(async (reference: string, options: Options) => {
      const session = commandSession(io, options);
      const wanted = await solutionReference(reference);
      const registries = registryConnections(io, options, session.flow, wanted.registry);
      const request = {
        reference: wanted,
        output: absolute(io, options.output),
        connect: registries.connect,
        sync: options.sync,
      };
      printResult(session, options, 'pull', await pull(request, session.flow).finally(registries.close), pullView);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack pull registry.example.com/solutions/guestbook:1.1.0 -o guestbook-1.1.0.iso
  $ solpack pull registry.example.com/solutions/guestbook@sha256:0123... -o guestbook-1.1.0.tar --json`;
