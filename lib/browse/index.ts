export { type Extracted, type ExtractRequest, extract } from './extract.ts';
export { type Listed, type ListRequest, list } from './list.ts';
