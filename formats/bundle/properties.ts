import { goJson } from './go-json.ts';

/** Something that a bundle says about itself, or of what it needs: by its type, such as `olm.gvk`. */
export interface BundleProperty {
  readonly type: string;
  readonly value: unknown;
}

/**
 * Writes properties as OLM puts them into an annotation: those of a JSON text as they are, those of a YAML file in
 * order.
 */
export function propertiesText(annotated: readonly BundleProperty[], written: readonly BundleProperty[]): string {
  const texts = [
    ...annotated.map(({ type, value }) => goJson({ type, value })),
    ...written.map(({ type, value }) => `{"type":${goJson(type)},"value":${goJson(value, true)}}`),
  ];
  return `[${texts.join(',')}]`;
}
