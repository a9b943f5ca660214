/** What a header of an ELF file may say otherwise. */
export interface ElfShape {
  readonly machine?: number;
  /** 2 is a program at a fixed place, 3 one that can be loaded anywhere. */
  readonly type?: number;
  readonly entry?: bigint;
  /** 1 has 32 bits, 2 has 64. */
  readonly width?: number;
  /** 1 is lowest byte first. */
  readonly order?: number;
}

/** The machines of ELF files. */
export const elfMachines = { amd64: 62, arm64: 183, riscv64: 243 } as const;

const BASE = 0x400000n;

/** Makes the smallest program that Linux runs on amd64: it ends with 0. What follows it tells programs apart. */
export function tinyElf(seed: string, shape: ElfShape = {}): Buffer {
  const { machine = elfMachines.amd64, type = 2, width = 2, order = 1, entry = BASE + 120n } = shape;
  // mov eax, 60; xor edi, edi; syscall
  const code = Buffer.from('b83c00000031ff0f05', 'hex');
  const program = Buffer.concat([Buffer.alloc(120), code, Buffer.from(`\n${seed}\n`)]);
  program.write('\x7fELF', 0, 'latin1');
  program.set([width, order, 1], 4);
  program.writeUInt16LE(type, 16);
  program.writeUInt16LE(machine, 18);
  program.writeUInt32LE(1, 20);
  program.writeBigUInt64LE(entry, 24);
  program.writeBigUInt64LE(64n, 32);
  program.writeUInt16LE(64, 52);
  program.writeUInt16LE(56, 54);
  program.writeUInt16LE(1, 56);
  // One segment that is loaded, to be read and executed.
  program.writeUInt32LE(1, 64);
  program.writeUInt32LE(5, 68);
  program.writeBigUInt64LE(BASE, 80);
  program.writeBigUInt64LE(BASE, 88);
  program.writeBigUInt64LE(BigInt(program.length), 96);
  program.writeBigUInt64LE(BigInt(program.length), 104);
  program.writeBigUInt64LE(4096n, 112);
  return program;
}
