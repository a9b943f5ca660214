/** The formats of files that users write, for which there is a JSON Schema. */
export const fileFormats = ['definition', 'configuration', 'policy', 'profile'] as const;

/** One of these formats. */
export type FileFormat = (typeof fileFormats)[number];

/** The folder beside a file in which solpack keeps what it makes anew whenever that is gone. */
export const STORE_FOLDER = '.solpack';

/** The folder in that one for schemas, and names of files in it. */
export const SCHEMA_FOLDER = 'schemas';

/** Returns the name of the file that has the schema of a format. */
export function schemaFile(format: FileFormat): string {
  return `${format}.schema.json`;
}

/**
 * Returns the line, without its end, by which a file in YAML tells editors its schema, and one in TOML does. It is a
 * comment.
 */
export function schemaLine(format: FileFormat): string {
  const path = `${STORE_FOLDER}/${SCHEMA_FOLDER}/${schemaFile(format)}`;
  return format === 'configuration' ? `# yaml-language-server: $schema=${path}` : `#:schema ${path}`;
}

/**
 * Finds the format whose schema a file asks for by such a line, which stands among the comments that it begins with.
 */
export function askedSchema(text: string): FileFormat | undefined {
  for (let at = 0; text[at] === '#'; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).trimEnd();
    const format = fileFormats.find((one) => schemaLine(one) === line);
    if (format !== undefined || end < 0) return format;
    at = end + 1;
  }
  return undefined;
}
