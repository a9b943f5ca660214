/** A member of a tar whose headers have no extensions. */
export interface Member {
  readonly path: string;
  readonly start: number;
  /** Where its bytes begin. */
  readonly data: number;
  readonly size: number;
  /** Where the next one begins. */
  readonly end: number;
}

/** Lists a tar that `pack` wrote. */
export function membersOf(bytes: Buffer): Member[] {
  const members: Member[] = [];
  for (let start = 0; bytes[start] !== 0; start = members.at(-1)!.end) {
    const path = bytes.toString('latin1', start, bytes.indexOf(0, start));
    const size = Number.parseInt(bytes.toString('latin1', start + 124, start + 135), 8);
    members.push({ path, start, data: start + 512, size, end: start + 512 + Math.ceil(size / 512) * 512 });
  }
  return members;
}

/** The member of this path. Throws if there is none. */
export function memberAt(bytes: Buffer, path: string): Member {
  const member = membersOf(bytes).find((one) => one.path === path);
  if (member === undefined) throw new Error(`a vector has no ${path}`);
  return member;
}
