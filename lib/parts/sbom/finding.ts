import type { Package } from '../../../formats/packages/kind.ts';
import type { Distribution } from '../../../formats/packages/os-release.ts';

/** What one file of an image says about packages. */
export interface FileFinding {
  readonly packages?: readonly Package[];
  readonly distribution?: Distribution;
  /** Something that exists, but was not read. */
  readonly unread?: Unread;
  /** Whether it is a program or a library that says nothing about itself. */
  readonly silent?: boolean;
}

/** Why a file or a layer was not, or not fully, read. */
export interface Unread {
  /** What it is, such as `rpm database`. */
  readonly what: string;
  readonly why: string;
}

/** Estimates how many bytes of memory a finding takes. */
export function weightOf({ packages = [], distribution }: FileFinding): number {
  let weight = 100 + (distribution ? 100 : 0);
  for (const { name, version, license, publisher, sum, source } of packages) {
    const texts = [name, version, license, publisher, sum, source?.name, source?.version];
    weight += 200 + texts.reduce((total, text) => total + (text === undefined ? 0 : 2 * text.length), 0);
  }
  return weight;
}
