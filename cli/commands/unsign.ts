import { Command } from 'commander';
import { loadPublicKey, shortKey } from '../../lib/command.ts';
import { type UnsignRequest, type UnsignResult, unsignArchive } from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { count, type Io, plain } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';

interface Options extends CommonOptions {
  readonly slot?: string;
  readonly key?: string;
}

/** Makes the command `solpack unsign`. */
export function unsignCommand(io: Io): Command {
  return new Command('unsign')
    .summary('remove signatures from an archive')
    .description(
      'Empties signature slots of an archive: every one, or those that are named; a tar no longer lists them. ' +
        'An archive whose slots are all empty is byte for byte what was packed without a key. Signatures of ' +
        'attestations by the same key are removed too.',
    )
    .argument('<archive>', 'an archive (.iso or .tar)')
    .option('--slot <number>', 'this slot alone')
    .option('--key <pub>', 'only the slots that name this public key (PEM)')
    .addHelpText('after', '\nExamples:\n  $ solpack unsign guestbook-1.1.0.iso --key old.pub')
    .action(async (archive: string, options: Options) => {
      const session = commandSession(io, options);
      const request = { archive: absolute(io, archive), which: await whichOf(io, options) };
      printResult(
        session,
        options,
        'unsign',
        await unsignArchive(request, session.flow),
        ({ emptied, attestations }) =>
          emptied.length + attestations.length === 0
            ? [`${plain(archive)} has no such signature; nothing changed`]
            : [
                ...emptied.map(({ slot, keyId }) => `removed ${whose(keyId)} from slot ${slot}`),
                ...fromAttestations(attestations),
              ],
      );
    });
}

/** One line for each key: an archive may have an attestation for each platform of an image. */
function fromAttestations(attestations: UnsignResult['attestations']): string[] {
  const numbers = new Map<string, number>();
  for (const { keyId } of attestations) numbers.set(whose(keyId), (numbers.get(whose(keyId)) ?? 0) + 1);
  return [...numbers].map(([what, number]) => `removed ${what} from ${count(number, 'attestation')}`);
}

function whose(keyId: string | undefined): string {
  return keyId === undefined ? 'an invalid signature' : `the signature by key ${shortKey(keyId)}`;
}

async function whichOf(io: Io, { slot, key }: Options): Promise<UnsignRequest['which']> {
  if (slot !== undefined && key !== undefined) throw usage('--slot', 'contradicts --key', 'give one of them');
  if (slot !== undefined) {
    if (/^\d{1,4}$/.test(slot)) return { slot: Number(slot) };
    throw usage(
      '--slot',
      `${JSON.stringify(slot)} is not a number`,
      '"solpack inspect" lists the slots that are taken',
    );
  }
  if (key === undefined) return 'all';
  return { keyId: (await loadPublicKey(absolute(io, key))).keyId };
}
