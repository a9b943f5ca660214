import { Command, Option } from 'commander';
import { type DoctorPurpose, doctor, exits } from '../../lib/index.ts';
import { doctorRequest } from '../doctor.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { doctorView } from '../view/doctor.ts';

interface Options extends CommonOptions {
  readonly for?: DoctorPurpose;
}

/** Makes the command `solpack doctor`. */
export function doctorCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('doctor')
    .summary('check what this machine needs to pack, to serve or to install')
    .description(
      'Checks what this machine needs: the profile, keys, archives, programs, rights, disks, the clock, ' +
        'systemd, the address of "solpack serve", the registry, the API server and certificates. Each check is a ' +
        'line, followed by the command that fixes it. Changes nothing, and waits ten seconds at most for a ' +
        'server. Ends with 1 if a check fails.',
    )
    .addOption(
      new Option(
        '--for <purpose>',
        'what the machine is there for (default: as its profile and its Kubernetes say)',
      ).choices(['pack', 'serve', 'install']),
    )
    .option('--profile <file>', 'the profile')
    .option('--no-profile', 'look at none')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const session = commandSession(io, options);
      const { purposes, checks } = await doctor(await doctorRequest(session, options.for), session.flow);
      const ok = checks.every(({ state }) => state !== 'fails');
      printResult(session, options, 'doctor', { ok, for: purposes, checks }, doctorView);
      if (!ok) exit(exits.findings);
    });
}

const help = `
Examples:
  $ solpack doctor
  $ solpack doctor --for pack
  $ solpack doctor --for install --json | jq '.checks[] | select(.state == "fails")'`;
