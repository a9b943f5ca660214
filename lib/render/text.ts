import { formatDocuments } from '../../formats/manifest/documents.ts';
import type { RenderResult } from './index.ts';

/** Writes rendered objects as YAML documents, in the order of application. */
export function renderedText({ components }: Pick<RenderResult, 'components'>): string {
  return formatDocuments(components.flatMap(({ objects }) => objects));
}
