import { Command } from 'commander';
import { duration } from '../../lib/command.ts';
import { bootLoader } from '../../lib/index.ts';
import { repeated } from '../arguments.ts';
import { type BootOptions, bootRequest } from '../boot-request.ts';
import { kubeconfigOption } from '../generations.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { bootView } from '../view/boot.ts';

interface Options extends CommonOptions, BootOptions {
  readonly waitAtMost?: string;
  readonly endWithin: string;
}

/** Makes the command `solpack boot`. */
export function bootCommand(io: Io): Command {
  return new Command('boot')
    .summary('have a loader in the cluster install, and follow it')
    .description(
      'Runs on a node, when it starts: waits until the API server is ready, puts the configuration and the files ' +
        'beside it into a ConfigMap, makes the Job that installs ("solpack docs in-cluster"), prints its progress, and ends ' +
        'as the install ends, with its exit code. A loader that still runs is followed; one that has ended is ' +
        'made again, and changes only what is not as the configuration says.',
    )
    .argument('[flags...]', 'further flags of "install" for the loader, after --')
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration; its archives are as the Pod sees them')
    .addOption(kubeconfigOption(io))
    .requiredOption('--image <reference>', 'the image of solpack, as nodes pull it')
    .option('--parameter <file>', 'a file for /etc/solpack of the loader, such as values; may be repeated', repeated)
    .option(
      '--archives-from <place>',
      'where the archives are, mounted at /archives: /FOLDER of the node, or claim:NAME',
    )
    .option('--server <host:port>', 'where the loader reaches the API server before Services work')
    .option('--served-at <url>', 'the "solpack serve" that has the images')
    .option('--registry <url>', 'the registry that images are pushed to')
    .option('--key <pub>', 'a public key (PEM); may be repeated: one of them has to have signed', repeated)
    .option('--policy <file>', 'a trust policy ("solpack docs trust")')
    .option('--insecure-skip-verify', 'the loader does not check who signed the archives')
    .option('--schedule <cron>', 'also repair at these times, from a CronJob (default: no repair)')
    .option('--timeout <duration>', 'how long a component may take to become ready', '5m')
    .option('--wait-at-most <duration>', 'how long to wait for the API server (default: without a limit)')
    .option('--end-within <duration>', 'how long the Job may take from then on', '1h')
    .addHelpText('after', help)
    .action(async (flags: string[], options: Options) => {
      const session = commandSession(io, options);
      const limits = {
        wait: options.waitAtMost === undefined ? Number.POSITIVE_INFINITY : ms(options.waitAtMost, '--wait-at-most'),
        limit: ms(options.endWithin, '--end-within'),
      };
      const request = { ...(await bootRequest(io, flags, options)), ...limits };
      const result = await bootLoader(request, session.flow);
      printResult(session, options, 'boot', { ...result, components: [...result.components] }, bootView);
    });
}

const ms = (value: string, option: string): number => 1000 * duration(value, option);

const help = `
Examples:
  $ solpack boot -f solutions.yaml --parameter site.yaml --key release.pub --kubeconfig /etc/kubernetes/admin.conf \\
      --image 127.0.0.1:5000/registry.example.com/solpack/solpack:1.0.0 --served-at http://127.0.0.1:5000 \\
      --archives-from /srv/solutions --server 10.0.0.1:6443 --schedule '*/30 * * * *'
  $ solpack boot --profile /etc/solpack/boot.toml -- --allow-downgrade`;
