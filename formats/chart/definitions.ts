/** What the text of a CustomResourceDefinition seems to define. */
export interface GuessedDefinition {
  /** `ANY_GROUP` where a value of the chart says it. */
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
}

/** Stands for a group that only values tell. */
export const ANY_GROUP = '*';

/**
 * Guesses what the definitions in a text define, a template's too, as far as they are laid out as everybody lays them
 * out.
 */
export function definitionsIn(text: string): GuessedDefinition[] {
  return text.split(/^---/m).flatMap((document) => {
    if (!/^kind: ["']?CustomResourceDefinition\b/m.test(document)) return [];
    const [, said = ''] = /^ {2}group: (.{1,300})$/m.exec(document) ?? [];
    const group = said.includes('{{') ? ANY_GROUP : /^["']?([\w.-]{1,253})/.exec(said)?.[1];
    const [, kind] = /^ {4}kind: ["']?(\w{1,63})/m.exec(document) ?? [];
    if (group === undefined || kind === undefined) return [];
    const versions = [...document.matchAll(/^ {2}(?:- | {2})name: ["']?(v\w{1,62})["']?\s*$/gm)];
    return [{ group, kind, versions: versions.map(([, version]) => version!) }];
  });
}
