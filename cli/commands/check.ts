import { Command } from 'commander';
import { check, exits } from '../../lib/index.ts';
import { apiVersionsOption, givenApiVersions } from '../api-versions.ts';
import { absolute, definitionPath, sourceDateEpoch } from '../arguments.ts';
import { daemons } from '../daemons.ts';
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
import { checkView } from '../view/check.ts';

interface Options extends CommonOptions, RegistryFlags {
  readonly lock?: string;
  readonly locked?: boolean;
  readonly strict?: boolean;
  readonly apiVersions?: string[];
}

/** Makes the command `solpack check`. */
export function checkCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('check')
    .summary('find what would prevent that a Solution is packed or installed')
    .description(
      'Does all that pack does, and writes nothing: resolves what a definition names, renders its components ' +
        'for each Kubernetes version that it supports, and looks for what its objects need and the archive would ' +
        'lack. Ends with 1 if it finds something.',
    )
    .argument('[definition]', 'solution.toml, or the folder that holds it', '.')
    .option('--lock <file>', 'where the lock is, if not in solution.lock beside the definition')
    .option('--locked', 'refuse what solution.lock does not name')
    .addOption(apiVersionsOption())
    .option('--strict', 'also refuse what only looks like an image that is not in the archive')
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (given: string, options: Options) => {
      const session = commandSession(io, options);
      const definition = await definitionPath(io, given);
      const registries = registryConnections(io, options, session.flow);
      const request = {
        definition,
        created: sourceDateEpoch(io),
        lock: options.locked ? ('locked' as const) : ('use' as const),
        lockFile: options.lock === undefined ? undefined : absolute(io, options.lock),
        strict: options.strict,
        apiVersions: givenApiVersions(options.apiVersions),
        daemons: daemons(io),
        connect: registries.connect,
        sources: registries.sources,
      };
      const result = await check(request, session.flow).finally(registries.close);
      printResult(session, options, 'check', result, (value, style) => checkView(value, style, given));
      if (!result.ok) exit(exits.findings);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack check
  $ solpack check ./guestbook --locked --json`;
