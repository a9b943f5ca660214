import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** The fields whose entries may be remote. */
const lists = new Set(['resources', 'bases', 'components']);

/**
 * Returns the text of a kustomization in which entries of `resources`, `bases` and `components` are replaced by what
 * `replacements` has for them; all else, comments too, stays as it is. The text was parsed by `parseKustomization`
 * before.
 */
export function replaceReferences(text: string, replacements: ReadonlyMap<string, string>): string {
  const { contents } = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  if (!isMap(contents)) return text;
  const found = contents.items.flatMap(({ key, value }) =>
    isScalar(key) && lists.has(String(key.value)) && isSeq(value) ? value.items.filter((item) => isScalar(item)) : [],
  );
  const edits = found.flatMap(({ value, range }) => {
    const replacement = replacements.get(String(value));
    return replacement === undefined || !range ? [] : [{ start: range[0], end: range[1], replacement }];
  });
  let edited = text;
  for (const { start, end, replacement } of edits.sort((a, b) => b.start - a.start)) {
    // What a block scalar ends with is the end of its line.
    const ending = /\n$/.exec(edited.slice(start, end))?.[0] ?? '';
    edited = `${edited.slice(0, start)}${JSON.stringify(replacement)}${ending}${edited.slice(end)}`;
  }
  return edited;
}
