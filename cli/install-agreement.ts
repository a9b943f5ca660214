import { removalWords } from '../lib/command.ts';
import type { InstallAgreement, InstallRequest, UninstallAgreement } from '../lib/index.ts';
import { askFirst } from './ask-first.ts';
import type { CommandSession } from './command-session.ts';
import type { InstallOptions } from './install-request.ts';
import { type Io, isYes, plain } from './io.ts';
import { printLines, readable } from './lines.ts';
import { installQuestionView, isIdle } from './view/install-question.ts';
import { styleFor } from './view/style.ts';

/** A person does not want what they were asked for. */
export class Declined extends Error {}

/**
 * Returns a request by which nothing goes for good that nobody has named, also no release that is newer than the one
 * that comes.
 */
export function namingRemovals(
  request: InstallRequest,
  { allowRemoval = [], allowDowngrade = false }: Pick<InstallOptions, 'allowRemoval' | 'allowDowngrade'>,
): InstallRequest {
  const { trust } = request;
  return {
    ...request,
    trust: trust === 'skip' ? trust : { ...trust, allowDowngrade: true },
    agreement: { removal: allowRemoval, downgrade: allowDowngrade },
  };
}

/**
 * Returns what shows a person an install, and asks for it; the name of each Solution that something is taken from is
 * typed.
 */
export function agreeOn({ io, progress }: CommandSession): NonNullable<InstallAgreement['agree']> {
  return async (plan, toName) => {
    progress.pause();
    printLines(io.stderr, readable(installQuestionView(plan, styleFor(io.stderr, io.env)), io.stderr));
    if (isIdle(plan)) return;
    const answer = await askFirst(io, 'Install? [y/N] ');
    if (!isYes(answer)) throw new Declined();
    await typeNames(io, toName);
  };
}

/**
 * Returns who has to agree to a removal that takes claims along: whoever is at the terminal, by typing the names of the
 * Solutions.
 */
export function agreeToClaims({ io, progress }: CommandSession, removal: readonly string[] = []): UninstallAgreement {
  if (io.ask === undefined) return { removal };
  return {
    removal,
    agree: async (removals, toName) => {
      progress.pause();
      const style = styleFor(io.stderr, io.env);
      printLines(
        io.stderr,
        removals.map((one) => style.bad(plain(removalWords(one, true)))),
      );
      await typeNames(io, toName);
    },
  };
}

async function typeNames(io: Io, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const typed = await askFirst(io, `To confirm that this is removed, type the name ${name}: `);
    if (typed.trim() !== name) throw new Declined();
  }
}
