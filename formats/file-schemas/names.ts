/** The formats of files that users write, for which there is a JSON Schema. */
export const fileFormats = ['definition', 'configuration', 'policy', 'profile'] as const;

/** One of these formats. */
export type FileFormat = (typeof fileFormats)[number];
