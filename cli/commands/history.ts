import { Command, Option } from 'commander';
import { renderedText } from '../../lib/command.ts';
import { type GenerationObjects, generationObjects, generationResolution, history } from '../../lib/index.ts';
import { usage } from '../arguments.ts';
import { type ClusterOptions, clusterOf, generationNumber, kubeconfigOption } from '../generations.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { historyView } from '../view/history.ts';
import { documentLines } from '../view/render.ts';
import { resolutionView } from '../view/resolve.ts';

interface Options extends ClusterOptions, CommonOptions {
  readonly objects?: number | true;
  readonly raw?: boolean;
  readonly why?: number | true;
}

/** Makes the command `solpack history`. */
export function historyCommand(io: Io): Command {
  return new Command('history')
    .summary('list the earlier installs that a cluster remembers')
    .description(
      'Lists the generations of a configuration: when each install began, who began it and where, what it ' +
        'installed, and how it ended. The cluster itself keeps them, so no file of the node that installed is ' +
        'needed.',
    )
    .argument('[name]', 'of the configuration (default: the only one that the cluster has)')
    .addOption(kubeconfigOption(io))
    .addOption(
      new Option('--objects [number]', 'print the objects that this generation, or the newest, applied, as YAML')
        .argParser(generationNumber)
        .conflicts('why'),
    )
    .option('--raw', 'with --objects: print the values of Secrets too, exactly as they were applied')
    .addOption(
      new Option(
        '--why [number]',
        'print why this generation, or the newest, has its Solutions, and what was passed over',
      ).argParser(generationNumber),
    )
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: Options) => {
      const { objects, raw = false, why } = options;
      if (raw && objects === undefined) throw usage('--raw', 'is for --objects', 'write --objects --raw');
      const session = commandSession(io, options);
      const asked = { cluster: await clusterOf(io, options), configuration: name };
      if (objects !== undefined) {
        const result = await generationObjects({ ...asked, generation: numberIn(objects), raw }, session.flow);
        const text = await yamlOf(result);
        return printResult(session, options, 'history-objects', result, () => text);
      }
      if (why !== undefined) {
        const result = await generationResolution({ ...asked, generation: numberIn(why) }, session.flow);
        return printResult(session, options, 'history-why', result, resolutionView);
      }
      const result = await history(asked, session.flow);
      const generations = result.generations.map(({ reason = null, resolution: _, ...one }) => ({ ...one, reason }));
      printResult(session, options, 'history', { ...result, generations }, historyView);
    });
}

/** Returns the number that an option names; undefined, which is the newest generation, if it names none. */
function numberIn(value: number | true): number | undefined {
  return value === true ? undefined : value;
}

async function yamlOf({ solutions }: GenerationObjects): Promise<string[]> {
  return documentLines(await renderedText({ components: solutions.flatMap(({ components }) => components) }));
}

const help = `
Examples:
  $ solpack history --kubeconfig admin.conf
  $ solpack history edge --kubeconfig admin.conf --json | jq '.generations[0]'
  $ solpack history edge --kubeconfig admin.conf --why 3
  $ solpack history edge --kubeconfig admin.conf --objects 3 --raw > applied.yaml`;
