/** The type of the program header that names an interpreter, which loads a program's libraries (elf(5), PT_INTERP). */
const interpreter = 3;

/** Whether a little-endian 64-bit ELF program needs no libraries; false for what is none. */
export function isStatic(program: Uint8Array): boolean {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.length);
  if (bytes.length < 64 || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2 || bytes[5] !== 1) return false;
  const start = Number(bytes.readBigUInt64LE(32));
  const size = bytes.readUInt16LE(54);
  const types = Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => start + index * size)
    .filter((at) => at + 4 <= bytes.length)
    .map((at) => bytes.readUInt32LE(at));
  return types.length > 0 && !types.includes(interpreter);
}
