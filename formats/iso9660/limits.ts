/**
 * The most that the reader accepts, so that no number in an image decides how long it works or how much memory it
 * takes. The writer keeps to the same limits, so that what it writes can be read.
 */
export const limits = {
  /** Volume descriptors of an image. */
  descriptors: 64,
  /** Continuation areas of one directory record. */
  continuations: 32,
  /** Bytes of System Use entries of one directory record. */
  systemUse: 64 * 1024,
  /** Names in a path. */
  depth: 64,
  /** UTF-8 bytes of a path. */
  path: 4096,
  /** UTF-8 bytes of a name that is read. */
  name: 255,
  /** UTF-8 bytes of a Rock Ridge name that is written: Linux cuts longer ones. */
  writtenName: 253,
  /** UTF-8 bytes of what a symbolic link points to. */
  target: 4095,
  /** UCS-2 units of a Joliet name that is written: what a directory record has room for. */
  jolietName: 103,
  /** Sections of one file. Linux reads no more. */
  sections: 100,
  /** Bytes of one directory: enough for 330,000 names of 64 hexadecimal digits. */
  directory: 64 * 1024 * 1024,
  /**
   * Bytes of all directories that one walk reads: enough for as many names in as many directories as can be written.
   */
  directories: 512 * 1024 * 1024,
  /** Bytes of names and of link targets that are held at a time: those of the directories on the way to one file. */
  texts: 256 * 1024 * 1024,
  /** Directories that are written. A path table counts them in 16 bits (ECMA-119 9.4.4). */
  writtenDirectories: 65_535,
  /** Entries of one walk: a million files in as many directories as can be written. */
  entries: 1_065_535,
} as const;
