import { type Digest, isDigest } from '../digest.ts';

/** Names of the files beside a medium that may tell its SHA-256, in the order in which they count. */
export function checksumNames(name: string): readonly string[] {
  return [`${name}.sha256`, `${name}.sha256sum`, 'SHA256SUM', 'SHA256SUMS'];
}

/**
 * Finds the SHA-256 of the file `name` in what `sha256sum` prints: lines of 64 hexadecimal digits, a space, a space or
 * a star, and a name. A text of one line may be the digits alone. Undefined where none is about it.
 */
export function checksumIn(text: string, name: string): Digest | undefined {
  for (const line of text.split('\n')) {
    const [digits = '', mark, named] = [line.slice(0, 64), line.slice(64, 66), line.slice(66).trimEnd()];
    const isAlone = line.trimEnd().length === 64 && text.trimEnd() === line.trimEnd();
    const isNamed = /^ [ *]$/.test(mark ?? '') && (named === name || named?.endsWith(`/${name}`));
    const digest = `sha256:${digits.toLowerCase()}`;
    if ((isAlone || isNamed) && isDigest(digest)) return digest;
  }
  return undefined;
}
