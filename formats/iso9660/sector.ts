/** Bytes of a logical sector and of a logical block. This project reads and writes no other size (ECMA-119 6.1.2). */
export const SECTOR = 2048;

/** Sectors of the system area, which holds nothing of ISO 9660 (ECMA-119 6.2.1). The volume descriptors follow it. */
export const SYSTEM_SECTORS = 16;

/** Flags of a directory record that matter here (ECMA-119 9.1.6). */
export const recordFlags = { directory: 0x02, associated: 0x04, more: 0x80 } as const;

/** Returns how many sectors `bytes` bytes take; the last one may be filled in part. */
export function sectors(bytes: number): number {
  return Math.ceil(bytes / SECTOR);
}
