import type { ReadAt } from '../bytes.ts';
import { SECTOR, SYSTEM_SECTORS } from './sector.ts';

/**
 * How many blocks before the path table and the top directory a session may begin. Its system area and its descriptors
 * lie between.
 */
const REACH = 128;

/**
 * Returns the block at which the session of a primary descriptor begins. That is block 0, with one exception: growisofs
 * puts the last session into effect by copying its descriptors to where readers look for them. Such a copy counts
 * blocks from the beginning of its session, while all that it points to counts from block 0. The original in the
 * session says which is the case.
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
