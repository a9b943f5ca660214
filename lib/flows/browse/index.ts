/** Lists and extracts what lies in an archive. */

export { type Extracted, type ExtractRequest, extract } from './extract.ts';
export { type ListedEntry, type ListRequest, list } from './list.ts';
