import type { CommanderError } from 'commander';

/** What was written is no command line, or asks for help. */
export class CommandLineError extends Error {
  readonly exitCode: number;
  /** The command that it was about; undefined where it is none. */
  readonly command: string | undefined;

  constructor(cause: CommanderError, command: string | undefined) {
    super(cause.message, { cause });
    this.exitCode = cause.exitCode;
    this.command = command;
  }
}
