import { Command, Option } from 'commander';
import type { Reference } from '../../formats/oci/reference.ts';
import type { CarrierKind } from '../../lib/archives/index.ts';
import { SolpackError } from '../../lib/errors.ts';
import type { NamedSource } from '../../lib/model.ts';
import type { ByteSink } from '../../lib/pack/index.ts';
import type { Io } from '../io.ts';
import { present } from '../output.ts';
import {
  absolute,
  type CommonOptions,
  definitionPath,
  registryOptions,
  sessionOf,
  sourceDateEpoch,
  usage,
} from '../settings.ts';
import { packed } from '../view/human.ts';

interface Options extends CommonOptions {
  readonly output: string;
  readonly format?: CarrierKind;
  readonly resume?: boolean;
  readonly sync: boolean;
  readonly workers?: number;
  readonly sign?: string;
  readonly locked?: boolean;
  readonly update?: boolean;
  readonly plainHttp?: boolean;
}

const formats: readonly CarrierKind[] = ['iso', 'tar'];

/** `solpack pack`. */
export function packCommand(io: Io): Command {
  return new Command('pack')
    .summary('make one archive of a definition')
    .description(
      'Resolves everything that a definition names to a digest, writes solution.lock, and makes one archive.',
    )
    .argument('[definition]', 'solution.toml, or the folder that holds it', '.')
    .requiredOption('-o, --output <file>', 'the archive to write; its name ends in .iso or .tar; - is standard output')
    .addOption(new Option('--format <format>', 'archive format, where the name does not say it').choices(formats))
    .option('--sign <key>', 'sign with this private key (PEM)')
    .option('--locked', 'refuse what solution.lock does not name')
    .option('--update', 'take what the sources hold now, whatever solution.lock says')
    .option('--resume', 'go on with the FILE.partial that an earlier run left; keep it where this one fails')
    .option('--no-sync', 'do not wait until the disk has the archive')
    .addOption(
      new Option('--workers <count>', 'threads that copy local files (default: one for each core, up to 8)').argParser(
        workers,
      ),
    )
    .option('--plain-http', 'talk to registries without TLS; loopback addresses need no flag')
    .addHelpText('after', help)
    .action(async (definition: string, options: Options) => {
      const session = sessionOf(io, options);
      if (options.locked && options.update) {
        throw new SolpackError('usage-invalid', '--locked', 'contradicts --update', { hint: 'give one of them' });
      }
      const output = outputOf(io, options);
      const { loadPrivateKey } = await import('../../lib/trust/index.ts');
      const { pack } = await import('../../lib/pack/index.ts');
      const request = {
        definition: await definitionPath(io, definition),
        output,
        format: options.format,
        resume: options.resume,
        sync: options.sync,
        workers: options.workers,
        created: sourceDateEpoch(io),
        lock: options.locked ? ('locked' as const) : options.update ? ('update' as const) : ('use' as const),
        sign:
          options.sign === undefined
            ? undefined
            : await loadPrivateKey(absolute(io, options.sign), io.env['SOLPACK_PASSPHRASE']),
        connect: (reference: Reference) => connect(io, reference, options.plainHttp === true),
      };
      const result = await pack(request, session.flow);
      // What goes to standard output is the archive alone.
      present(session, options, result, packed, typeof output === 'string' ? io.stdout : io.stderr);
    });
}

/** Where the archive goes; throws `usage-invalid` where standard output cannot take it. */
function outputOf(io: Io, { output, format, resume }: Options): string | ByteSink {
  if (output !== '-') return absolute(io, output);
  if (format === undefined)
    throw usage('-o -', 'does not say which archive format to write', 'add --format iso or --format tar');
  if (resume) throw usage('--resume', 'cannot go on with what was sent to standard output', 'name a file with -o');
  if (io.stdout.isTTY) {
    throw usage('-o -', 'would write an archive to the terminal', 'pipe it to a program, or name a file');
  }
  return { name: '-', write: (bytes) => io.stdout.send(bytes) };
}

function workers(value: string): number {
  if (/^[1-9][0-9]?$/.test(value)) return Number(value);
  throw usage('--workers', `${JSON.stringify(value)} is not a number from 1 to 99`, 'leave it out to use every core');
}

async function connect(io: Io, { registry, repository }: Reference, plainHttp: boolean): Promise<NamedSource> {
  const { openRepository } = await import('../../lib/registries/index.ts');
  const scheme = plainHttp || isLoopback(registry) ? 'http' : 'https';
  return openRepository({ scheme, registry, repository }, await registryOptions(io));
}

function isLoopback(registry: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(registry);
}

const help = `
Environment:
  SOURCE_DATE_EPOCH   seconds since 1970 for every date in the archive (default: solution.lock's, else 1980-01-01)
  SOLPACK_PASSPHRASE  passphrase of the private key, if it is encrypted
  REGISTRY_AUTH_FILE  credentials for registries (default: the files that podman, skopeo and docker use)

Examples:
  $ solpack pack -o guestbook-1.1.0.iso
  $ solpack pack ./guestbook -o guestbook-1.1.0.tar --sign release.key --locked
  $ solpack pack -o guestbook-1.1.0.iso --resume
  $ solpack pack -o - --format tar | ssh node 'cat > guestbook.tar'`;
