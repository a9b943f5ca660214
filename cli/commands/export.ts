import { arch } from 'node:process';
import { Command, Option } from 'commander';
import { sizeWords } from '../../lib/command.ts';
import { type ExportForm, exportImages } from '../../lib/index.ts';
import { absolute, repeated } from '../arguments.ts';
import { count, type Io, plain } from '../io.ts';
import { printResult } from '../output.ts';
import { caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { type SolutionOptions, solutionPlace } from '../solution.ts';

interface Options extends CommonOptions, SolutionOptions {
  readonly output: string;
  readonly image?: string[];
  readonly format: ExportForm;
  readonly arch?: string;
}

/** How Go names the architectures whose names in Node.js differ. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Makes the command `solpack export`. */
export function exportCommand(io: Io): Command {
  const command = new Command('export')
    .summary('write images of an archive to a file that podman, skopeo, ctr or docker load')
    .description(
      'Writes images of an archive into one tar file: as an OCI archive, with all platforms of the archive, or ' +
        'as docker save writes it, with one. Contents are checked by their digests; "solpack verify --key" ' +
        'decides whom to trust.',
    )
    .argument(
      '<archive>',
      'an archive: a file, a device, a folder, http:// or https://; or HOST/REPOSITORY:TAG of a registry',
    )
    .requiredOption('-o, --output <file>', 'the file to write')
    .option('--image <reference>', 'an image, by reference or digest; may be repeated (default: all)', repeated)
    .addOption(
      new Option('--format <form>', 'the form of the file')
        .choices(['oci-archive', 'docker-archive'])
        .default('oci-archive'),
    )
    .option(
      '--arch <architecture>',
      "the platform for docker-archive: arm64, arm/v7, or linux/arm/v7 as inspect prints it (default: this machine's)",
    )
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText('after', help)
    .action(async (archive: string, options: Options) => {
      const session = commandSession(io, options);
      const { at, close } = await solutionPlace(session, archive, options);
      const request = {
        archive: at,
        images: options.image ?? [],
        output: absolute(io, options.output),
        form: options.format,
        architecture: options.arch ?? architectures[arch] ?? arch,
      };
      const result = await exportImages(request, session.flow).finally(close);
      printResult(session, options, 'export', result, ({ path, form, images, bytes: size }) => [
        `exported ${count(images.length, 'image')} (${sizeWords(size)}) to ${plain(path)}, as ${form}`,
        ...images.map(({ reference, digest }) => `  ${plain(reference)}  ${digest}`),
      ]);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack export guestbook-1.1.0.iso -o images.tar
  $ solpack export guestbook-1.1.0.iso --image registry.example.com/guestbook/web:1.1.0 -o web.tar
  $ solpack export guestbook-1.1.0.iso --format docker-archive --arch arm64 -o images.tar`;
