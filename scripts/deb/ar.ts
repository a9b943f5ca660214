/** A member of an ar archive. */
export interface ArMember {
  /** At most 16 letters. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Makes an ar archive, as deb(5) has it: all members belong to root, and have the time `mtime`. */
export function ar(members: readonly ArMember[], mtime: Date): Uint8Array {
  const parts = members.flatMap(({ name, bytes }) => {
    if (!/^[ -~]{1,16}$/.test(name)) throw new Error(`${name} does not fit the header of an ar archive`);
    const fields: [string, number][] = [
      [name, 16],
      [String(Math.floor(mtime.getTime() / 1000)), 12],
      ['0', 6],
      ['0', 6],
      ['100644', 8],
      [String(bytes.length), 10],
    ];
    const header = fields.map(([text, width]) => text.padEnd(width)).join('');
    return [Buffer.from(`${header}\`\n`), bytes, Buffer.from(bytes.length % 2 === 1 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
