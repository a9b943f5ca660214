/** What the text of a CustomResourceDefinition seems to define. */
export interface GuessedDefinition {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
}

/** Guesses what the definitions in a text define, a template's too, as far as they are laid out as everybody lays them out. */
export function definitionsIn(text: string): GuessedDefinition[] {
  return text.split(/^---/m).flatMap((document) => {
    if (!/^kind: ["']?CustomResourceDefinition\b/m.test(document)) return [];
    const [, group] = /^ {2}group: ["']?([\w.-]{1,253})/m.exec(document) ?? [];
    const [, kind] = /^ {4}kind: ["']?(\w{1,63})/m.exec(document) ?? [];
    if (group === undefined || kind === undefined) return [];
    const versions = [...document.matchAll(/^ {2}(?:- | {2})name: ["']?(v\w{1,62})["']?\s*$/gm)];
    return [{ group, kind, versions: versions.map(([, version]) => version!) }];
  });
}
