/** The entry of a package in a file-based catalog. */
export function packageEntry(name: string, defaultChannel: string): Readonly<Record<string, string>> {
  return { schema: 'olm.package', name, defaultChannel };
}
