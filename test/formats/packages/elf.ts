/** How a program is made up. */
export interface Program {
  readonly bits?: 32 | 64;
  readonly little?: boolean;
  readonly version?: string;
  readonly modules?: string;
  /** Of the build information; 2 is the format of Go 1.18. */
  readonly flags?: number;
  /** Where the build information lies; the writable segment begins at 4096. */
  readonly at?: number;
  /** What else lies in the file. */
  readonly also?: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  readonly size?: number;
}

/** Go's build information as bytes: the strings are framed by 16 bytes, as Go's linker writes them. */
export function buildInfo(version: string, modules: string, flags = 2): Buffer {
  const framed = modules === '' ? '' : `${'\x01'.repeat(16)}${modules}${'\x02'.repeat(16)}`;
  const head = Buffer.alloc(32);
  head.write('\xff Go buildinf:', 'latin1');
  head[14] = 8;
  head[15] = flags;
  return Buffer.concat([
    head,
    ...[version, framed].flatMap((text) => [varint(Buffer.byteLength(text)), Buffer.from(text)]),
  ]);
}

/** An ELF file with a segment of code, and one of data that has Go's build information. */
export function programOf(program: Program = {}): Buffer {
  const { bits = 64, little = true, version = 'go1.24.1', modules = '', flags = 2, at = 4096, size = 16_384 } = program;
  const file = Buffer.alloc(size);
  const half = (value: number, offset: number): number =>
    little ? file.writeUInt16LE(value, offset) : file.writeUInt16BE(value, offset);
  const word = (value: number, offset: number): number =>
    little ? file.writeUInt32LE(value, offset) : file.writeUInt32BE(value, offset);
  const long = (value: number, offset: number): void => {
    if (bits === 32) word(value, offset);
    else if (little) file.writeBigUInt64LE(BigInt(value), offset);
    else file.writeBigUInt64BE(BigInt(value), offset);
  };
  const wide = bits === 64;
  file.write('\x7fELF', 'latin1');
  file[4] = wide ? 2 : 1;
  file[5] = little ? 1 : 2;
  const table = wide ? 64 : 52;
  const entry = wide ? 56 : 32;
  long(table, wide ? 32 : 28);
  half(entry, wide ? 54 : 42);
  half(2, wide ? 56 : 44);
  for (const [index, { permissions, from, length }] of [
    { permissions: 5, from: 0, length: 4096 },
    { permissions: 6, from: 4096, length: size - 4096 },
  ].entries()) {
    const start = table + index * entry;
    word(1, start);
    word(permissions, start + (wide ? 4 : 24));
    long(from, start + (wide ? 8 : 4));
    long(length, start + (wide ? 32 : 16));
  }
  file.set(buildInfo(version, modules, flags), at);
  for (const { at: place, bytes } of program.also ?? []) file.set(bytes, place);
  return file;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push((left % 128) | (left >= 128 ? 0x80 : 0));
    if (left < 128) return Buffer.from(bytes);
  }
}
