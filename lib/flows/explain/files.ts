import { askedSchema, type FileFormat, fileFormats } from '../../../formats/document/schema-line.ts';
import { type FileField, fileFields } from '../../../formats/file-schemas/fields.ts';

/** What a file that users write may say. The manual pages of section 5 say the same. */
export interface FileExplanation {
  /** What such a file is called, as a rule. */
  readonly name: string;
  readonly format: FileFormat;
  /** A phrase without a full stop. */
  readonly summary: string;
  /** Paragraphs. */
  readonly about: readonly string[];
  /** The page of the documentation about it. */
  readonly page: string;
  readonly fields: readonly FileField[];
}

const files: Readonly<Record<FileFormat, Omit<FileExplanation, 'format' | 'fields'>>> = {
  definition: {
    name: 'solution.toml',
    summary: 'definition of a Solution',
    about: [
      'A file in TOML, of which "solpack pack" makes an archive: the name and version of the Solution, its images, and the components that are brought up in a cluster. "solpack init" writes one of what lies in a folder, "solpack check" judges one.',
      'Paths are relative to the file. An unknown field is an error.',
    ],
    page: 'format',
  },
  configuration: {
    name: 'solutions.yaml',
    summary: 'archives of a site, and which versions are active',
    about: [
      'A document of the kind SolutionsConfiguration in YAML. It says which archives there are, which versions of Solutions are active, in which environments, and what the site sets for their components. "solpack import" and "solpack activate" edit it, "solpack install -f" brings a cluster to it, and "solpack serve -f" serves its archives.',
      'It has two forms: grouped by Solutions, with "solutions", or flat, with "archives" and "active".',
    ],
    page: 'configuration',
  },
  policy: {
    name: 'trust.toml',
    summary: 'whose signatures count for which Solutions',
    about: [
      'A file in TOML for --policy. It names keys. Its rules say which of these keys have to sign a Solution, and how far the Solution may go: kinds of components, namespaces, images, objects.',
      'Keys that the policy names can sign its next version: "solpack trust" shows and checks that.',
    ],
    page: 'trust',
  },
  profile: {
    name: 'profile.toml',
    summary: 'settings of a machine',
    about: [
      'A file in TOML with the settings of a machine, so that commands need no flags for them: its cluster, its configuration, whose signatures count, and how images reach nodes. "solpack setup" writes it, and "solpack profile" prints it, sets a field, and prints its path.',
      'A flag wins over it.',
    ],
    page: 'setup',
  },
};

/** What shows the format of a file that has a name of its own, in this order. */
const signs: readonly (readonly [RegExp, FileFormat])[] = [
  [/^kind: *["']?SolutionsConfiguration\b/m, 'configuration'],
  [/^\[\[(?:components|images)\]\]/m, 'definition'],
  [/^\[\[(?:keys|policies)\]\]/m, 'policy'],
  [/^\[(?:images|registry|install|boot)\]/m, 'profile'],
];

/** Files with another meaning, by their names: the page that describes them, and who writes them. */
const described: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  'solution.lock': ['is written by "solpack pack"', '"solpack docs format#the-lock-solutionlock" describes it'],
  'hosts.toml': ['is a file of containerd', '"solpack docs delivery#mirrors" says what solpack writes there'],
  'registries.yaml': ['is a file of k3s and RKE2', '"solpack docs setup" says what solpack writes there'],
  'auth.json': ['has the logins of registries', '"solpack docs registries#logging-in" says where solpack looks for it'],
  'config.json': [
    'has the logins of registries',
    '"solpack docs registries#logging-in" says where solpack looks for it',
  ],
  'values.yaml': ['belongs to a chart', '"solpack docs configuration#sites" says how a site sets values'],
};

/** Says what a file is that users do not write for solpack, or seldom; undefined if its name says nothing. */
export function describedFile(given: string): readonly [what: string, hint: string] | undefined {
  const name = given.trim().toLowerCase();
  const last = name.slice(name.lastIndexOf('/') + 1);
  return Object.hasOwn(described, last) ? described[last] : undefined;
}

/** Explains the file that has a text; undefined if it is of no format that solpack explains. */
export function explainText(text: string): FileExplanation | undefined {
  const format = askedSchema(text) ?? signs.find(([sign]) => sign.test(text))?.[1];
  return format === undefined ? undefined : { ...files[format], format, fields: fileFields(format) };
}

/** Explains every format of files, with all fields. */
export function explainedFiles(): readonly FileExplanation[] {
  return fileFormats.map((format) => ({ ...files[format], format, fields: fileFields(format) }));
}

/**
 * Explains the file of a name or a format, or which a path ends in; undefined where it is none that solpack explains.
 */
export function explainFile(given: string): FileExplanation | undefined {
  const name = given.trim().toLowerCase();
  const last = name.slice(name.lastIndexOf('/') + 1).replace(/\(5\)$/, '');
  const format = fileFormats.find((one) => one === last || files[one].name === last);
  return format === undefined ? undefined : { ...files[format], format, fields: fileFields(format) };
}
