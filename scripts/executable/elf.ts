// Where the fields of the headers of a 64-bit ELF file are: System V ABI, chapter 4 (ELF header) and 5 (program
// header).
const PROGRAM_HEADERS_AT = 32;
const SECTION_HEADERS_AT = 40;
const PROGRAM_HEADER_SIZE = 54;
const PROGRAM_HEADER_COUNT = 56;
const SECTION_HEADER_COUNT = 60;
const SECTION_NAMES = 62;
const OFFSET = 8;
const ADDRESS = 16;
const PHYSICAL = 24;
const FILE_SIZE = 32;
const MEMORY_SIZE = 40;

const LOAD = 1;
const NOTE = 4;

/** The largest page of memory: what is written to shares none with the notes. */
const PAGE = 0x1_0000;

/**
 * Bytes of a program header, and the most that the system may have to fill with zeros; Node.js has it fill less than 1
 * MiB.
 */
const HEADER_BYTES = 56;
const ZEROS_LIMIT = 2 ** 26;

/** A part of the file that is mapped, or a part of such a part. */
interface Segment {
  /** Where its program header is. */
  readonly header: number;
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
}

/**
 * Returns a copy of an executable (64-bit ELF, little-endian) without symbols, debugging information and sections, and
 * with one more note, named `name`, that is mapped with the rest. Throws where it is not such a file.
 *
 * The last segment that is loaded gets longer: first by what the system would have filled with zeros, then by the
 * notes, the old ones and the new one. The header of the old notes points to them from then on. So no header is added,
 * and nothing else changes its place.
 */
export function withNote(executable: Uint8Array, name: string, content: Uint8Array): Buffer {
  const file = Buffer.from(executable.buffer, executable.byteOffset, executable.byteLength);
  const segments = segmentsOf(file);
  const last = segments
    .filter(({ type }) => type === LOAD)
    .sort((a, b) => a.address - b.address)
    .at(-1);
  const [old, ...others] = segments.filter(({ type }) => type === NOTE);
  if (!last || !old || others.length > 0) throw new Error('its program headers are not those of a Node.js');
  const kept = last.offset + last.fileSize;
  if (kept > file.length || segments.some((one) => one.fileSize > one.memorySize && one.type === LOAD)) {
    throw new Error('its segments are not in it');
  }
  if (segments.some(({ offset, fileSize }) => offset + fileSize > kept)) {
    throw new Error('its last segment in memory is not the last in the file');
  }
  const start = Math.ceil((last.offset + last.memorySize) / PAGE) * PAGE;
  if (start - kept > ZEROS_LIMIT) throw new Error('it asks for more zeros in memory than a Node.js does');
  const notes = Buffer.concat([file.subarray(old.offset, old.offset + old.fileSize), noteOf(name, content)]);
  const head = Buffer.from(file.subarray(0, kept));
  resize(head, last, start + notes.length - last.offset);
  head.writeBigUInt64LE(BigInt(start), old.header + OFFSET);
  head.writeBigUInt64LE(BigInt(last.address - last.offset + start), old.header + ADDRESS);
  head.writeBigUInt64LE(BigInt(last.address - last.offset + start), old.header + PHYSICAL);
  resize(head, old, notes.length);
  head.writeBigUInt64LE(0n, SECTION_HEADERS_AT);
  head.writeUInt16LE(0, SECTION_HEADER_COUNT);
  head.writeUInt16LE(0, SECTION_NAMES);
  return Buffer.concat([head, Buffer.alloc(start - kept), notes]);
}

function segmentsOf(file: Buffer): Segment[] {
  if (file.length < 64 || file.toString('latin1', 0, 6) !== '\u007fELF\u0002\u0001') {
    throw new Error('it is not an ELF file of 64 bits, little-endian');
  }
  const at = Number(file.readBigUInt64LE(PROGRAM_HEADERS_AT));
  const size = file.readUInt16LE(PROGRAM_HEADER_SIZE);
  const count = file.readUInt16LE(PROGRAM_HEADER_COUNT);
  if (size < HEADER_BYTES || at + count * size > file.length) throw new Error('its program headers are not in it');
  return Array.from({ length: count }, (_, index) => {
    const header = at + index * size;
    const field = (offset: number): number => Number(file.readBigUInt64LE(header + offset));
    return {
      header,
      type: file.readUInt32LE(header),
      offset: field(OFFSET),
      address: field(ADDRESS),
      fileSize: field(FILE_SIZE),
      memorySize: field(MEMORY_SIZE),
    };
  });
}

function resize(head: Buffer, { header }: Segment, size: number): void {
  head.writeBigUInt64LE(BigInt(size), header + FILE_SIZE);
  head.writeBigUInt64LE(BigInt(size), header + MEMORY_SIZE);
}

/** A note: the sizes of its name and of its content, a type, then both, each filled up to words of 4 bytes. */
function noteOf(name: string, content: Uint8Array): Buffer {
  const words = Buffer.alloc(12);
  words.writeUInt32LE(name.length + 1, 0);
  words.writeUInt32LE(content.length, 4);
  return Buffer.concat([words, filled(Buffer.from(`${name}\0`)), filled(content)]);
}

function filled(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
