import { once } from '../../../formats/bytes.ts';
import type { ContentSource } from './model.ts';

/** Makes a source of content that is in memory: whatever is opened, it gives `bytes`. `name` is how errors name it. */
export function bytesSource(name: string, bytes: Uint8Array): ContentSource {
  return { name, open: (_, { offset = 0 } = {}) => once(bytes.subarray(offset)) };
}
