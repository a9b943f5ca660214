import { Command } from 'commander';
import { init } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { initView } from '../view/definition.ts';

/** Makes the command `solpack init`. */
export function initCommand(io: Io): Command {
  return new Command('init')
    .summary('write a definition for what is in a folder')
    .description(
      'Writes a commented solution.toml into a folder. It names the charts (folders and .tgz), manifests, ' +
        'kustomizations, registry+v1 bundles, plugins and archives of images in that folder, and runs none of ' +
        'them.',
    )
    .argument('[dir]', 'the folder', '.')
    .addHelpText('after', help)
    .action(async (dir: string, options: CommonOptions) => {
      const session = commandSession(io, options);
      printResult(session, options, 'init', await init(absolute(io, dir), session.flow), initView);
    });
}

const help = `
Examples:
  $ solpack init monitoring
  $ solpack images monitoring --write
  $ solpack pack monitoring -o monitoring-0.1.0.iso`;
