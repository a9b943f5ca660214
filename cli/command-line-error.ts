import type { Command, CommanderError } from 'commander';

/** What was written is not a command line, or asks for help. */
export class CommandLineError extends Error {
  readonly exitCode: number;
  /** The kind of error, as commander names it. */
  readonly code: string;
  /** The command that it was about; the whole program where it is none. */
  readonly command: Command;

  constructor(cause: CommanderError, command: Command) {
    super(cause.message.replace(/^error: /, ''), { cause });
    this.exitCode = cause.exitCode;
    this.code = cause.code;
    this.command = command;
  }
}
