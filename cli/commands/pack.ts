import { Command } from 'commander';
import type { Reference } from '../../formats/oci/reference.ts';
import { SolpackError } from '../../lib/errors.ts';
import type { NamedSource } from '../../lib/model.ts';
import type { Io } from '../io.ts';
import { present } from '../output.ts';
import {
  absolute,
  type CommonOptions,
  definitionPath,
  registryOptions,
  sessionOf,
  sourceDateEpoch,
} from '../settings.ts';
import { packed } from '../view/human.ts';

interface Options extends CommonOptions {
  readonly output: string;
  readonly sign?: string;
  readonly locked?: boolean;
  readonly update?: boolean;
  readonly plainHttp?: boolean;
}

/** `solpack pack`. */
export function packCommand(io: Io): Command {
  return new Command('pack')
    .summary('make one archive of a definition')
    .description(
      'Resolves everything that a definition names to a digest, writes solution.lock, and makes one archive.',
    )
    .argument('[definition]', 'solution.toml, or the folder that holds it', '.')
    .requiredOption('-o, --output <file>', 'the archive to write; its name ends in .iso or .tar')
    .option('--sign <key>', 'sign with this private key (PEM)')
    .option('--locked', 'refuse what solution.lock does not name')
    .option('--update', 'take what the sources hold now, whatever solution.lock says')
    .option('--plain-http', 'talk to registries without TLS; loopback addresses need no flag')
    .addHelpText('after', help)
    .action(async (definition: string, options: Options) => {
      const session = sessionOf(io, options);
      if (options.locked && options.update) {
        throw new SolpackError('usage-invalid', '--locked', 'contradicts --update', { hint: 'give one of them' });
      }
      const { loadPrivateKey } = await import('../../lib/trust/index.ts');
      const { pack } = await import('../../lib/pack/index.ts');
      const request = {
        definition: await definitionPath(io, definition),
        output: absolute(io, options.output),
        created: sourceDateEpoch(io),
        lock: options.locked ? ('locked' as const) : options.update ? ('update' as const) : ('use' as const),
        sign:
          options.sign === undefined
            ? undefined
            : await loadPrivateKey(absolute(io, options.sign), io.env['SOLPACK_PASSPHRASE']),
        connect: (reference: Reference) => connect(io, reference, options.plainHttp === true),
      };
      present(session, options, await pack(request, session.flow), packed);
    });
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
  $ solpack pack ./guestbook -o guestbook-1.1.0.tar --sign release.key --locked`;
