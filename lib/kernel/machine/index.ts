/** The machine: programs that run within bounds, disks, and the runs of solpack. */

export {
  /** What the system reports the disk that holds a folder. */
  type DiskFacts,
  /** Reports the disk where a folder is, or will be made. */
  diskFor,
  /** Returns the free bytes where a folder is, or will be made: of the nearest one above that exists. */
  freeSpaceFor,
  /** Returns the free bytes for this user on the disk that holds `folder`. */
  freeSpaceNow,
  /** Decides whether there is a folder at `path`, or a symbolic link to one. */
  isFolder,
  /** Decides whether anything has the name `path`, be it a symbolic link that leads nowhere. */
  isThere,
  /** Decides whether this user may make files in the folder at `path`, as far as its permissions. */
  isWritable,
  /** Requires that a file of `size` bytes can be written at `path`, of which `kept` are there already. */
  requireFits,
} from './disk.ts';
export {
  /** Collects garbage now, which takes some 20 ms for each 50 MiB that are alive. */
  collectGarbage,
  /** Makes the heap's young generation as small as it can be, and lets it grow no more. */
  shrinkHeap,
} from './heap.ts';
export {
  /** A program failed; the message is the last line of its standard error. */
  ProgramError,
  /** Streams the output of a program, without a shell, and kills it when nobody reads on. */
  programBytes,
} from './program-bytes.ts';
export {
  /** Runs a program without a shell, and streams `bytes` into its standard input. */
  feedProgram,
} from './program-input.ts';
export {
  /** Returns what a program prints of its version. */
  printedVersion,
} from './program-version.ts';
export {
  /** How a program ended. */
  type ProgramEnd,
  /** Runs a program without a shell. */
  runProgram,
} from './programs.ts';
export {
  /** Decides whether the process with this name has certainly ended. */
  hasEnded,
  /** Decides whether process numbers of the run with this name count here. */
  isHere,
  /** Decides whether `text` is the name of a run. */
  isRun,
  /** Decides whether the process with this name is certainly still running. */
  isRunning,
  /** Returns a name for this process that no other process has, also after the machine has restarted. */
  ownRun,
} from './runs.ts';
export {
  /** Makes one line of what a program said on standard error before it failed. */
  toolWords,
} from './tool-words.ts';
export {
  /** Whether lines of a program of Go say that it was refused more memory, and in which words that is reported. */
  memoryWords,
  /** Memory that a program of Go may have, in MiB. */
  type ProgramMemory,
  /** Returns what to put before a program of Go. */
  withinMemory,
} from './within-memory.ts';
export {
  /** Returns what to put before a program and its arguments so that it has no network, not even to this machine. */
  withoutNetwork,
} from './without-network.ts';
