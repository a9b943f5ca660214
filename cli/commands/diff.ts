import { Command } from 'commander';
import { diff, exits } from '../../lib/index.ts';
import { type InputOptions, solutionInput } from '../input.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { diffView } from '../view/diff.ts';

interface Options extends CommonOptions, InputOptions {
  readonly kubeVersion?: string;
}

/** Makes the command `solpack diff`. */
export function diffCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('diff')
    .summary('tell what is different between two Solutions')
    .description(
      'Compares two archives or definitions: versions, images, bytes of layers, and the objects that a cluster would\n' +
        'get, to the field. Tells of CustomResourceDefinitions that break stored objects, and of rights that are asked\n' +
        'for in addition. What charts draw at random does not count, and values of Secrets are not shown. Ends with 1 if\n' +
        'something is different.',
    )
    .argument(
      '<old>',
      'solution.toml, the folder that holds it, or an archive: here, at http:// or https://, or HOST/REPOSITORY:TAG',
    )
    .argument('<new>', 'the same, to compare it with')
    .option('--kube-version <version>', 'the Kubernetes version (default: the newest that both are proved for)')
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (old: string, given: string, options: Options) => {
      const session = commandSession(io, options);
      const from = await solutionInput(io, old, options, session.flow);
      const to = await solutionInput(io, given, options, session.flow);
      const request = { from: from.input, to: to.input, kubernetes: options.kubeVersion };
      const result = await diff(request, session.flow).finally(() => Promise.all([from.close(), to.close()]));
      printResult(session, options, 'diff', result, diffView);
      if (!result.same) exit(exits.findings);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack diff guestbook-1.0.0.iso guestbook-1.1.0.iso
  $ solpack diff guestbook-1.1.0.iso ./guestbook --json | jq .rights`;
