import type { ReadAt } from '../bytes.ts';
import { SECTOR, SYSTEM_SECTORS } from './sector.ts';

/** How far before the path table and the top a session begins, in blocks: its system area and its descriptors lie between. */
const REACH = 128;

/**
 * The block at which the session begins that a primary descriptor is of. Block 0, but for images whose last session was put
 * in effect by copying its descriptors to the place where readers look for them, as growisofs does: such a
 * descriptor counts blocks from its session's begin, while all it points to counts from block 0. The original of
 * the copy, in the session, tells.
 */
export async function sessionStart(source: ReadAt, primary: Buffer, blocks: number): Promise<number> {
  const table = Math.min(primary.readUInt32LE(140), primary.readUInt32LE(158));
  if (table < blocks) return 0;
  for (let block = table - 1; block >= Math.max(blocks, table - REACH); block -= 1) {
    if ((block + 1) * SECTOR > source.size) continue;
    const bytes = await source.read(block * SECTOR, SECTOR);
    if (Buffer.compare(bytes, primary) === 0) return block - SYSTEM_SECTORS;
  }
  return 0;
}
