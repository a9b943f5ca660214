/** Returns whether a folder is named as components are: three digits, `-`, a name. */
export function isConventional(folder: string): boolean {
  return /^[0-9]{3}-[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(folder);
}

/**
 * Names the component that a folder's name stands for: what follows its number, as an RFC 1123 label. `010-web` and
 * `20-web` are both `web`. Undefined where nothing of the name can be in a label.
 */
export function componentName(folder: string): string | undefined {
  return folderLabel(folder.replace(/^[0-9]+-/, '')) ?? folderLabel(folder);
}

/** Makes an RFC 1123 label of a text; undefined where nothing of it can be in one. */
export function folderLabel(text: string): string | undefined {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 63)
    .replace(/-$/, '');
  return label === '' ? undefined : label;
}
