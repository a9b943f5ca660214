/** What a flow gets and reports: its signal, its events, its errors, and secrets that are blanked. */

export {
  /** A code of `errorInfo`. */
  type ErrorCode,
  /** Optional parts of a `SolpackError`. */
  type ErrorDetails,
  /** Every error that a user can meet, with its exit code. */
  errorInfo,
  /** Exit codes of every command; `docs/errors.md` explains them. */
  exits,
  /** Says where in a file something is wrong. */
  type FilePosition,
  /** One of several problems, with a line of its own. */
  type FoundFault,
  /** Runs `work`, and returns the error that it throws at users; nothing where it throws none. */
  faultsOf,
  /** Turns a `FormatError` into a `SolpackError` of `code` about `subject`, with its position. */
  fromFormat,
  /** Decides whether a text is a code of `errorInfo`. */
  isErrorCode,
  /** Blanks user and password of every URL in `value`, and its query, which may have tokens. */
  redact,
  /** Runs `work`, and turns the refusal of a format into a `SolpackError` of `code` about `subject`. */
  refused,
  /** The one error that `lib` throws at users: what was tried on what, why it failed, what to do next. */
  SolpackError,
} from './errors.ts';
export type {
  /** The state of a component in a run. */
  ComponentState,
  /** What a flow reports while it works; `cli` shows it on stderr. */
  Event,
  /** Receives events. */
  OnEvent,
} from './events.ts';
export {
  /** What every flow gets in addition to its request. */
  type Flow,
  /** Runs `work` over `items`, at most `limit` at once. */
  pool,
} from './flow.ts';
export {
  /** Returns the full path of a program that is on the machine already; undefined where there is none. */
  findInstalled,
  /** Returns the full path of the program `name`. */
  findTool,
  /** The machine as a flow sees it. */
  type Host,
  /** Returns the platform of this machine in words of OCI: `linux/amd64`. */
  platformHere,
} from './host.ts';
export {
  /** Lends `resource` to `work`, and releases it when `work` has ended in any way. */
  lend,
} from './lend.ts';
export {
  /** Makes the meter of a step that moves `total` bytes. */
  byteMeter,
  /** Counts the bytes that a step moves, and says how far it is. */
  type Meter,
} from './meter.ts';
export {
  /** Leaves of a long list what is chosen of each part of it, so that a signal is heard meanwhile. */
  narrow,
} from './narrow.ts';
export {
  /** What stands in the place of a secret. */
  BLANK,
  /** Blanks secrets in a text. */
  type Redact,
  /** Blanks secrets in every text of a value that is data. */
  redactedData,
  /** Returns an error that says no secret, neither itself nor by its cause. */
  redactedError,
  /** Makes a flow whose events tell no secret. */
  redactedFlow,
  /** Makes what blanks secrets wherever they stand in a text. */
  redactor,
  /** The shortest text that is blanked: shorter ones stand in words that tell nothing. */
  SHORTEST_SECRET,
  /** Lists the forms in which a secret may stand in a text, short ones among them. */
  secretForms,
} from './redaction.ts';
export {
  /** Does `work`, and reports it as a step if it takes longer than a second, as on a disc that has to start. */
  reportIfSlow,
} from './slowly.ts';
export {
  /** Returns the `errno` name of a failed system call, such as ENOENT. */
  codeOf,
  /** Describes why a system call failed. */
  reasonOf,
  /** Makes the error about a failure to read `path`. */
  unreadable,
  /** Makes the error about a failure to write `path`. */
  unwritable,
} from './system-errors.ts';
export {
  /** Runs `work` for `limit` milliseconds at most, however it waits; undefined where it was not done by then. */
  within,
} from './within.ts';
