import type { Command } from 'commander';
import type { ReturnTrust } from '../lib/index.ts';
import { repeated } from './arguments.ts';
import type { Io } from './io.ts';
import { rememberedFor, rootNamed, type TrustOptions, trustNobody, trustOf } from './trust.ts';

/** Options that say whom to trust with what was installed before. */
export interface ReturnTrustOptions extends TrustOptions {
  readonly allowUnsigned?: string[];
}

/** Adds the options of `ReturnTrustOptions`; that of what is remembered only where `time` passes. */
export function returnTrustFlags(command: Command, time: 'passes' | 'stands'): Command {
  command
    .optionsGroup('Trust:')
    .option('--key <pub>', 'a public key (PEM); may be repeated: one of them has to have signed', repeated)
    .option('--policy <file>', 'a trust policy ("solpack docs trust"): decides as "solpack install --policy" does');
  if (time === 'passes')
    command.option('--trust-state <dir>', 'the folder of remembered releases, which also have the time');
  return command.option(
    '--allow-unsigned <root>',
    'take the release of this root, sha256:…, without a signature; may be repeated. The policy holds otherwise',
    repeated,
  );
}

/** Returns whom to trust with what was installed before; undefined where no option says so. Throws `usage-invalid`. */
export async function returnTrust(io: Io, options: ReturnTrustOptions): Promise<ReturnTrust | undefined> {
  const { allowUnsigned } = options;
  const state = rememberedFor(io, options);
  const basis = (await trustOf(io, options, state)) ?? (allowUnsigned && (await trustNobody(state)));
  return basis && { basis, allowUnsigned: (allowUnsigned ?? []).map(rootNamed) };
}
