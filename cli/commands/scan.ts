import { join } from 'node:path';
import { Command, Option } from 'commander';
import { type ScannerName, type ScanResult, type Severity, scanArchive } from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import type { Io } from '../io.ts';
import { namedSigner, passphraseHelp, type SigningKeyOptions, signingKeyFlags } from '../keys.ts';
import { printResult } from '../output.ts';
import { caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { type SolutionOptions, solutionPlace } from '../solution.ts';
import { failsScan, scanView } from '../view/scan.ts';

interface Options extends CommonOptions, SolutionOptions, SigningKeyOptions {
  readonly scanner?: ScannerName;
  readonly db?: string;
  readonly maxDbAge: string;
  readonly failOn?: Severity;
  readonly sarif?: string;
  readonly attest?: string;
}

/** Makes the command `solpack scan`. */
export function scanCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('scan')
    .summary('look up known vulnerabilities in the SBOMs of an archive')
    .description(
      'Passes the SBOMs of an archive to grype or trivy, whichever is on PATH. The scanner runs without a network, ' +
        'on a database that is on this machine. What OpenVEX documents that travel with the images call not ' +
        'affected or fixed does not count. The exit code is 1 if --fail-on is given and something counts, or if an ' +
        'image has no SBOM.',
    )
    .argument(
      '<archive>',
      'an archive: a file, a device, a folder, http:// or https://; or HOST/REPOSITORY:TAG of a registry',
    )
    .addOption(
      new Option('--scanner <name>', 'the program that scans (default: the first of these on PATH)').choices([
        'grype',
        'trivy',
      ]),
    )
    .option('--db <folder>', "the folder of the scanner's database (default: where the scanner itself has it)")
    .option('--max-db-age <days>', 'refuse a database that was built more days ago than this', '5')
    .addOption(
      new Option(
        '--fail-on <severity>',
        'end with 1 if something is this bad or worse, or has not been scanned',
      ).choices(['negligible', 'low', 'medium', 'high', 'critical']),
    )
    .option('--sarif <file>', 'write the result as SARIF 2.1.0')
    .option('--attest <file>', 'write the verdict as an attestation that is signed with --private-key or --signer')
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(signingKeyFlags(command), true)
    .addHelpText('after', help)
    .action(async (archive: string, options: Options) => {
      const session = commandSession(io, options);
      const { attest, sarif, scanner, failOn } = options;
      const signs = options.privateKey ?? options.key ?? options.signer;
      if (attest === undefined && signs !== undefined) {
        throw usage(
          '--attest',
          'is missing: a key is given, and there is nothing to sign',
          'name the file of the attestation',
        );
      }
      const oldest = daysIn(options.maxDbAge);
      const signed =
        attest === undefined
          ? {}
          : { attest: { path: absolute(io, attest), signer: await namedSigner(session, options) } };
      const { at, close } = await solutionPlace(session, archive, options);
      const request = {
        archive: at,
        ...(scanner === undefined ? {} : { scanner }),
        databases: databaseFolders(io, options.db),
        oldest: oldest * 86_400,
        ...(sarif === undefined ? {} : { sarif: absolute(io, sarif) }),
        ...signed,
      };
      const result: ScanResult = await scanArchive(request, session.flow).finally(close);
      printResult(session, options, 'scan', result, scanView);
      if (failOn !== undefined && failsScan(result, failOn)) exit(1);
    });
}

/** Reads whole days. Throws `usage-invalid`. */
function daysIn(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw usage('--max-db-age', `${JSON.stringify(text)} is no number of days`, 'write for example --max-db-age 5');
}

/** Where each scanner has its database, unless it is named: as the scanners themselves decide that. */
function databaseFolders(io: Io, named: string | undefined): Readonly<Record<ScannerName, string>> {
  if (named !== undefined) {
    const folder = absolute(io, named);
    return { grype: folder, trivy: folder };
  }
  const { env } = io;
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] ?? '/', '.cache');
  return {
    grype: absolute(io, env['GRYPE_DB_CACHE_DIR'] || join(cache, 'grype/db')),
    trivy: absolute(io, env['TRIVY_CACHE_DIR'] || join(cache, 'trivy')),
  };
}

const help = `
Environment:
  GRYPE_DB_CACHE_DIR  where grype has its database, instead of in the user's cache
  TRIVY_CACHE_DIR     where trivy has its database, instead of in the user's cache
  ${passphraseHelp}
${registryEnvironment}

Examples:
  $ solpack scan guestbook-1.1.0.iso
  $ solpack scan guestbook-1.1.0.iso --db /media/stick/grype --fail-on high --sarif scan.sarif
  $ solpack scan guestbook-1.1.0.iso --attest scan.sigstore.json --private-key security.key`;
