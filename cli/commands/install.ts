import { Command } from 'commander';
import { SolpackError } from '../../lib/errors.ts';
import type { InstallResult, LoadTarget } from '../../lib/install/index.ts';
import type { Io } from '../io.ts';
import { present } from '../output.ts';
import {
  absolute,
  type CommonOptions,
  listenAddress,
  publicKeys,
  registryOptions,
  registryUrl,
  repeated,
  sessionOf,
} from '../settings.ts';
import { installed } from '../view/human.ts';
import { untilAborted } from './serve.ts';

interface Options extends CommonOptions {
  readonly configuration: string;
  readonly key?: string[];
  readonly registry?: string;
  readonly servedAt?: string;
  readonly listen: string;
  readonly hold?: boolean;
  readonly render?: string;
}

/** `solpack install`. */
export function installCommand(io: Io): Command {
  return new Command('install')
    .summary('choose, verify, load and render what a SolutionsConfiguration names')
    .description(
      'Reads a SolutionsConfiguration, chooses a version of each Solution, verifies its archive, makes its images\n' +
        'available, and renders its components. Images are served by the embedded registry unless --registry or\n' +
        '--served-at names another.',
    )
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .option(
      '--key <pub>',
      'a public key (PEM); may be repeated: one of them has to have signed each active archive',
      repeated,
    )
    .option('--registry <url>', 'push images to this registry (http:// or https://, a path is a prefix of all names)')
    .option('--served-at <url>', 'ask this running "solpack serve" whether it has the images')
    .option('--listen <address>', 'HOST:PORT of the embedded registry; port 0 is any free one', '127.0.0.1:0')
    .option('--hold', 'keep the embedded registry running until interrupted')
    .option('--render <dir>', 'write the rendered objects below this folder, in order')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const session = sessionOf(io, options);
      const { install } = await import('../../lib/install/index.ts');
      const { directoryTarget } = await import('../../lib/clusters/index.ts');
      const request = {
        configuration: absolute(io, options.configuration),
        keys: await publicKeys(io, options.key ?? []),
        load: await loadTarget(io, options),
        cluster: options.render === undefined ? undefined : directoryTarget(absolute(io, options.render)),
      };
      const show = (result: InstallResult): void => present(session, options, result, installed);
      if (!options.hold) return show(await install(request, session.flow));
      await install(request, session.flow, async (result) => {
        show(result);
        await untilAborted(io.signal);
      });
    });
}

async function loadTarget(io: Io, { registry, servedAt, listen, hold }: Options): Promise<LoadTarget> {
  if (registry !== undefined && servedAt !== undefined) {
    throw new SolpackError('usage-invalid', '--registry', 'contradicts --served-at', { hint: 'give one of them' });
  }
  const url = registry ?? servedAt;
  if (url === undefined) return { kind: 'embedded', ...listenAddress(listen) };
  if (hold) {
    throw new SolpackError('usage-invalid', '--hold', 'is for the embedded registry', {
      hint: `leave it out with ${url}`,
    });
  }
  const kind = registry === undefined ? 'served' : 'registry';
  return { kind, url: registryUrl(url), options: await registryOptions(io) };
}

const help = `
A SolutionsConfiguration:
  apiVersion: solutions.metalk8s.scality.com/v1alpha1
  kind: SolutionsConfiguration
  solutions:
    - name: guestbook
      activeVersion: "1.1.0"      # left out: the highest version that is no pre-release
      archives:                   # relative to this file
        - guestbook-1.0.0.iso
        - guestbook-1.1.0.iso

Examples:
  $ solpack install -f solutions.yaml --key release.pub --render rendered
  $ solpack install -f solutions.yaml --key release.pub --registry http://127.0.0.1:5000`;
