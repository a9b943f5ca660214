import { constants } from 'node:os';
import { sizeWords } from '../../../../formats/size-words.ts';
import type { ErrorCode } from '../../../kernel/events/index.ts';
import type { ProgramEnd } from '../../../kernel/machine/index.ts';

/** Why a call of a plugin counts as failed. */
export interface PluginFailure {
  readonly code: ErrorCode;
  /** Follows the argument with which the plugin was called. */
  readonly message: string;
  readonly hint: string;
}

const broken = 'report it to the author of the plugin';

/**
 * Explains why a call counts as failed, by the exit codes of the convention; undefined where it ended well. Codes 1 and
 * 2 have their meanings only where `isRun`. `limits` are milliseconds and bytes.
 */
export function reasonOfEnd(
  ended: ProgramEnd,
  isRun: boolean,
  limits: { readonly time: number; readonly bytes: number },
): PluginFailure | undefined {
  const failed = (message: string, hint: string = broken): PluginFailure => ({ code: 'plugin-failed', message, hint });
  if (ended.tooMuch) return failed(`printed more than ${sizeWords(limits.bytes)}`);
  if (ended.timedOut) return failed(`did not end within ${limits.time / 1000} s`);
  if (ended.signal !== undefined) return failed(`crashed: ${ended.signal} ended it`);
  const code = ended.code ?? 0;
  if (code === 0) return undefined;
  if (isRun && code === 1) {
    const message = 'reports that this machine does not meet a precondition (code 1)';
    return { code: 'plugin-unmet', message, hint: 'meet the precondition, then try again' };
  }
  if (isRun && code === 2) {
    const message = 'found its configuration invalid (code 2)';
    return { code: 'plugin-misconfigured', message, hint: 'correct the configuration, then try again' };
  }
  if (code === 126 || code === 127) {
    return failed(`is not runnable (code ${code})`, 'install what it calls, or correct its permissions');
  }
  if (code > 127) return failed(`crashed (code ${code}${signalOf(code)})`);
  return failed(`ended with an internal error (code ${code})`);
}

/** Decodes the exit code of a shell whose last program was ended by a signal: 128 plus its number (POSIX XCU 2.8.2). */
function signalOf(code: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found ? `, ${found[0]}` : '';
}
