import { text } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { refused, SolpackError } from '../../errors.ts';
import type { Flow } from '../../flow.ts';
import { type ProgramEnd, runProgram } from '../../programs.ts';
import type { UnpackedComponent } from '../kind.ts';
import { reasonOfEnd } from './exit.ts';
import { interpreterOf, labelOf, pluginProgram, whyNotStarted } from './program.ts';
import { environmentOf } from './variables.ts';

/** What a plugin can be asked, with the milliseconds and the bytes of standard output that the answer may take. */
export const questions = {
  'api-version': { time: 5_000, bytes: 1024 },
  run: { time: 60_000, bytes: 16 * 1024 * 1024 },
} as const;

/** An argument of the convention. */
export type Question = keyof typeof questions;

/**
 * Runs a plugin with one argument in its folder and returns what it printed, if it ended well; what it writes to
 * standard error is told line by line. Throws `plugin-unmet` and `plugin-misconfigured` where `run` says so,
 * `plugin-failed` and `path-escapes` where the plugin is broken, `usage-invalid` for variables it must not be given.
 */
export async function callPlugin(component: UnpackedComponent, question: Question, flow: Flow): Promise<string> {
  const label = labelOf(component);
  const env = environmentOf(component);
  const { program, folder } = await pluginProgram(component);
  const { time, bytes } = questions[question];
  let ended: ProgramEnd;
  try {
    ended = await runProgram(program, [question], {
      cwd: folder,
      env,
      timeout: time,
      limit: bytes,
      signal: flow.signal,
      onLine: (line) => flow.onEvent({ type: 'notice', message: `[${label}] ${line}` }),
    });
  } catch (cause) {
    flow.signal.throwIfAborted();
    const { message, hint } = await whyNotStarted(program, cause);
    throw new SolpackError('plugin-failed', label, `${question} cannot be run: ${message}`, { hint, cause });
  }
  const reason = reasonOfEnd(ended, question === 'run', { time, bytes });
  if (reason) {
    const { code, message } = reason;
    // The C library hands what the system refuses to run to a shell, which then stumbles over it.
    const isShells = question === 'api-version' && (await interpreterOf(program)) === undefined;
    const hint = isShells ? 'it does not begin with #!: is it a program for this machine?' : reason.hint;
    throw new SolpackError(code, label, `${question} ${message}${lastWords(ended.last)}`, { hint });
  }
  return refused('plugin-failed', label, () => {
    const content = text(ended.stdout, 'yaml-invalid');
    if (content.includes('\0')) throw new FormatError('yaml-invalid', `there is a NUL in the output of ${question}`);
    return content;
  });
}

/** What a program said last, in one line: that is where the reason stands. */
function lastWords(lines: readonly string[]): string {
  const words = lines.join(' / ').replace(/\s+/g, ' ').trim();
  if (words === '') return '';
  return `: ${words.length > 400 ? `...${words.slice(-400)}` : words}`;
}
