import { Command } from 'commander';
import { describeArchive } from '../../lib/command.ts';
import { type ArchiveDescription, type DiffResult, diff, exits, type SolutionInput } from '../../lib/index.ts';
import { type HtmlOptions, htmlOption, requireOneOutput, writePage } from '../html-file.ts';
import { type InputOptions, solutionInput } from '../input.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommandSession, commandSession } from '../session.ts';
import { diffView } from '../view/diff.ts';

interface Options extends HtmlOptions, InputOptions {
  readonly kubeVersion?: string;
}

/** Makes the command `solpack diff`. */
export function diffCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('diff')
    .summary('show what is different between two Solutions')
    .description(
      'Compares two archives or definitions: versions, images, bytes of layers, and every field of the objects ' +
        'that a cluster would get. Reports CustomResourceDefinitions that break stored objects, and additional ' +
        'rights. Ignores what charts draw at random, and does not show values of Secrets. Ends with 1 if ' +
        'something is different.',
    )
    .argument(
      '<old>',
      'solution.toml, the folder that holds it, or an archive: here, at http:// or https://, or HOST/REPOSITORY:TAG',
    )
    .argument('<new>', 'the same, to compare it with')
    .option('--kube-version <version>', 'the Kubernetes version (default: the newest that both are proven for)')
    .addOption(htmlOption())
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (old: string, given: string, options: Options) => {
      const session = commandSession(io, options);
      requireOneOutput(options);
      const from = await solutionInput(io, old, options, session.flow);
      const to = await solutionInput(io, given, options, session.flow);
      const request = { from: from.input, to: to.input, kubernetes: options.kubeVersion };
      const shown = async (): Promise<DiffResult> => {
        const result = await diff(request, session.flow);
        await show(session, options, result, request);
        return result;
      };
      const { same } = await shown().finally(() => Promise.all([from.close(), to.close()]));
      if (!same) exit(exits.findings);
    });
}

/** Prints what is different, or makes a page of it, for which both archives are described wholly. */
async function show(
  session: CommandSession,
  options: Options,
  result: DiffResult,
  { from, to }: { readonly from: SolutionInput; readonly to: SolutionInput },
): Promise<void> {
  if (options.html !== undefined) {
    const describe = async (input: SolutionInput): Promise<ArchiveDescription | undefined> =>
      'archive' in input ? describeArchive(input.archive, session.flow) : undefined;
    const comparison = { result, from: await describe(from), to: await describe(to) };
    const { diffPage } = await import('../view/html/diff-page.ts');
    if (!(await writePage(session, options, diffPage(comparison)))) return;
  }
  printResult(session, options, 'diff', result, diffView);
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack diff guestbook-1.0.0.iso guestbook-1.1.0.iso
  $ solpack diff guestbook-1.1.0.iso ./guestbook --json | jq .rights
  $ solpack diff guestbook-1.0.0.iso guestbook-1.1.0.iso --html new.html`;
