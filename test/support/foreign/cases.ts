import type { Judge } from '../judges.ts';

/** An option set of a program that writes images. */
export interface ForeignCase {
  readonly name: string;
  readonly judge: Judge;
  /** What to put in: one of the folders of `trees.ts`. */
  readonly tree: 'posix' | 'files' | 'deep' | 'links';
  /** Arguments that write `input` to `image`. */
  readonly args: (image: string, input: string) => string[];
  /** The tree that has to be read. */
  readonly namespace: 'rock-ridge' | 'joliet' | 'enhanced' | 'plain';
  /** Whether names are as they are in the input; true of Rock Ridge. Other trees change some. */
  readonly exact?: true;
  /** Files that the writer adds: path, or an expression for several. */
  readonly adds?: RegExp;
  /** What xorriso shows beside all that: the folder for moved ones, empty by then. */
  readonly shown?: RegExp;
  /** Why a judge reads it otherwise. */
  readonly apart?: Partial<Record<'bsdtar' | 'xorriso', string>>;
}

/** Options that go with all trees of one kind, by name. */
export type Options = Readonly<Record<string, readonly string[]>>;
