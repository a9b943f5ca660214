import { formatDocuments, type KubernetesObject } from '../../../formats/manifest/documents.ts';

/** Writes rendered objects as YAML documents, in the order of application. */
export function renderedText({
  components,
}: {
  readonly components: readonly { readonly objects: readonly KubernetesObject[] }[];
}): string {
  return formatDocuments(components.flatMap(({ objects }) => objects));
}
