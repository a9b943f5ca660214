import { Command } from 'commander';
import { referenceNamed } from '../../lib/command.ts';
import { mountArchive, unmountArchive } from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { type Io, plain } from '../io.ts';
import { printResult } from '../output.ts';
import { archivePlace } from '../place.ts';
import { type CommonOptions, commandSession } from '../session.ts';

/** Makes the command `solpack mount`. */
export function mountCommand(io: Io): Command {
  return new Command('mount')
    .summary('mount an archive at a folder, read only')
    .description(
      'Mounts an archive that is an ISO 9660 image: by the kernel if root runs it, otherwise by fuseiso, which any ' +
        'user may run. Every command reads the folder as it reads the archive. Does nothing if the archive is ' +
        'already mounted there.',
    )
    .argument('<archive>', 'an archive (.iso), or the device that it is on')
    .argument('<dir>', 'an empty folder')
    .addHelpText('after', '\nExamples:\n  $ solpack mount guestbook-1.1.0.iso /mnt\n  $ solpack mount /dev/sr0 /mnt')
    .action(async (archive: string, dir: string, options: CommonOptions) => {
      const session = commandSession(io, options);
      const privileged = process.getuid?.() === 0;
      const paths = { archive: await fileHere(io, archive), folder: absolute(io, dir) };
      const result = await mountArchive({ ...paths, privileged }, session.flow);
      printResult(session, options, 'mount', result, ({ folder, by, already }) => [
        already
          ? `${plain(archive)} is mounted at ${plain(folder)} already`
          : `mounted ${plain(archive)} at ${plain(folder)}, by ${by === 'kernel' ? 'the kernel' : by}`,
      ]);
    });
}

/**
 * Returns the path of an archive on this machine. Throws `usage-invalid` for one that is elsewhere, and what finding it
 * throws.
 */
async function fileHere(io: Io, archive: string): Promise<string> {
  const place = (await referenceNamed(archive, io.cwd)) ? undefined : await archivePlace(io, archive, {});
  if (typeof place === 'string') return place;
  const hint = place
    ? 'download it first, and mount the file'
    : 'get it first with "solpack pull", and mount that file';
  throw usage(archive, 'is not on this machine, and only files and devices can be mounted', hint);
}

/** Makes the command `solpack unmount`. */
export function unmountCommand(io: Io): Command {
  return new Command('unmount')
    .summary('unmount what "solpack mount" mounted')
    .description('Unmounts an archive from a folder. Does nothing if nothing is mounted there.')
    .argument('<dir>', 'the folder')
    .addHelpText('after', '\nExamples:\n  $ solpack unmount /mnt')
    .action(async (dir: string, options: CommonOptions) => {
      const session = commandSession(io, options);
      const result = await unmountArchive({ folder: absolute(io, dir) }, session.flow);
      printResult(session, options, 'unmount', result, ({ folder, already }) => [
        already ? `nothing is mounted at ${plain(folder)}` : `unmounted ${plain(folder)}`,
      ]);
    });
}
