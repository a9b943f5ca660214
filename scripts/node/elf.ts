/** The type of the program header that names an interpreter, which loads a program's libraries (elf(5), PT_INTERP). */
const interpreter = 3;

/** Decides whether a little-endian 64-bit ELF program needs no libraries; false for other files. */
export function isStatic(program: Uint8Array): boolean {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.length);
  if (bytes.length < 64 || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2 || bytes[5] !== 1) return false;
  const start = Number(bytes.readBigUInt64LE(32));
  const size = bytes.readUInt16LE(54);
  const count = bytes.readUInt16LE(56);
  if (count === 0 || size < 4 || start + count * size > bytes.length) return false;
  const types = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(start + index * size));
  return !types.includes(interpreter);
}
