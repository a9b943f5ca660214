import { Command } from 'commander';
import { renderedText } from '../../lib/command.ts';
import { renderSolution } from '../../lib/index.ts';
import { apiVersionsOption, givenApiVersions } from '../api-versions.ts';
import { absolute, repeated } from '../arguments.ts';
import { type InputOptions, solutionInput } from '../input.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { handedValues, valuesOption } from '../site-values.ts';

interface Options extends CommonOptions, InputOptions {
  readonly output?: string;
  readonly kubeVersion?: string;
  readonly apiVersions?: string[];
  readonly values?: string[];
  readonly strict?: boolean;
}

/** Makes the command `solpack render`. */
export function renderCommand(io: Io): Command {
  const command = new Command('render')
    .summary('print the objects that a cluster would get')
    .description(
      'Renders a definition or an archive as an install would, and prints the objects as YAML, in the order of ' +
        'application. No cluster is asked: charts see a Kubernetes version, the APIs that it serves, and those ' +
        'that the Solution defines. Images keep their names, with digests, as if nodes had mirrors. Plugins are ' +
        'not run. Signatures are not checked unless a key or a policy is given; then, if this machine has no helm ' +
        'or kubectl, those of the archive are used. The contents of an archive are checked by their digests.',
    )
    .argument(
      '<solution>',
      'solution.toml, the folder that holds it, or an archive: here, at http:// or https://, or HOST/REPOSITORY:TAG',
    )
    .option('-o, --output <dir>', 'write files below this folder, as "install --render" does, and print none')
    .option('--kube-version <version>', 'the Kubernetes version (default: the newest that the Solution is proven for)')
    .addOption(apiVersionsOption())
    .option(valuesOption.flags, valuesOption.description, repeated)
    .option('--key <pub>', 'a public key (PEM); may be repeated: one of them has to have signed the archive', repeated)
    .option('--policy <file>', 'a trust policy ("solpack docs trust"), which decides whose signatures count')
    .option('--strict', 'refuse images that objects name, or seem to name, and that no Solution provides')
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (given: string, options: Options) => {
      const session = commandSession(io, options);
      const { renderView, tellRendered } = await import('../view/render.ts');
      const { input, close } = await solutionInput(io, given, options, session.flow);
      const request = {
        input,
        kubernetes: options.kubeVersion,
        apiVersions: givenApiVersions(options.apiVersions),
        values: handedValues(io, options.values ?? []),
        strict: options.strict ?? false,
        output: options.output === undefined ? undefined : absolute(io, options.output),
      };
      const result = await renderSolution(request, session.flow).finally(close);
      tellRendered(result, session.flow.onEvent);
      const text = await renderedText(result);
      printResult(session, options, 'render', result, () => renderView(result, text));
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack render ./guestbook
  $ solpack render guestbook-1.1.0.iso --kube-version 1.33 -o rendered
  $ solpack render guestbook-1.1.0.iso --api-versions monitoring.coreos.com/v1/ServiceMonitor | kubectl diff -f -`;
