import type { ImageDefinition } from '../../../formats/solution/definition.ts';
import type { StringEdit } from '../../../formats/solution/edit-strings.ts';

/** What was found about one component or image. */
export interface NewerInput {
  /** What stands in the definition instead. */
  readonly edits: readonly StringEdit[];
  /** Whether it is resolved anew, and not taken from the lock. */
  readonly isRenewed: boolean;
  /** The version or the tag that it has now; undefined where it has none, or where the lock does not name one. */
  readonly from: string | undefined;
  /** The version or the tag that it gets; undefined where it stays. */
  readonly to?: string | undefined;
  /** A newer version that the bounds keep out. */
  readonly beyond?: string | undefined;
  /** Why it stays, or what else there is to know. */
  readonly reason?: string | undefined;
}

/** What was found about all that is selected. */
export interface NewerInputs {
  /** By the name of the component. */
  readonly components: ReadonlyMap<string, NewerInput>;
  /** By the reference that the definition has now. */
  readonly images: ReadonlyMap<string, NewerInput>;
  /** The images of the definition that its objects do not name now. */
  readonly unused: readonly string[];
}

/** Makes what was found about something that stays as it is. */
export function staying(from: string | undefined, reason?: string): NewerInput {
  return { edits: [], isRenewed: false, from, reason };
}

/** Returns where in a definition the component `name` stands, as `components.0`. */
export function placeOfComponent({ components = [] }: RawDefinition, name: string): string {
  return `components.${components.findIndex((one) => one.name === name)}`;
}

/** The parts of a parsed `solution.toml` that are edited, as they are written. */
export interface RawDefinition {
  readonly operator?: string;
  readonly components?: readonly { readonly name: string }[];
  readonly images?: readonly { readonly reference: string; readonly source?: string }[];
}

/** What the objects of a Solution name. */
export interface EarlierUse {
  /** Lists the components whose objects name an image. */
  namedBy(image: ImageDefinition): readonly string[];
  /** The images that no object names. */
  readonly unused: readonly string[];
}
