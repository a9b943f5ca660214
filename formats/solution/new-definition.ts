import { schemaLine } from '../document/schema-line.ts';
import type { ComponentDefinition } from './definition.ts';

/** A component that a new definition names. */
export interface NewComponent extends Pick<ComponentDefinition, 'name' | 'kind' | 'path' | 'values'> {
  /** What its author has to know, one line each. */
  readonly notes: readonly string[];
}

/** An image that a new definition names. */
export interface NewImage {
  readonly reference: string;
  /** In the syntax of containers-transports(5). */
  readonly source: string;
}

/** What a new definition is made of. */
export interface NewDefinition {
  readonly name: string;
  readonly components: readonly NewComponent[];
  readonly images: readonly NewImage[];
  /** Files that it does not name, and why. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

/** Writes the text of a commented `solution.toml` that names components and images. */
export function newDefinition({ name, components, images, left }: NewDefinition): string {
  const blocks = [
    `${HEAD}\nname = ${quoted(name)}\nversion = "0.1.0"\n`,
    KUBERNETES,
    EXTERNAL,
    ...(left.length === 0
      ? []
      : [comments(['Not named here:', ...left.map(({ path, reason }) => `- ${path}: ${reason}`)])]),
    ...components.map(componentText),
    ...(components.length === 0 ? [] : [ORDER]),
    images.length === 0 ? NO_IMAGES : IMAGES,
    ...images.map(
      ({ reference, source }) => `[[images]]\nreference = ${quoted(reference)}\nsource = ${quoted(source)}\n`,
    ),
  ];
  return blocks.join('\n');
}

const HEAD = `${schemaLine('definition')}
# The input of "solpack pack". "solpack docs format" lists every field.

# An RFC 1123 label, and a SemVer version.`;

const KUBERNETES = `# The Kubernetes versions that it is for. Left out: the one of the helm on this machine.
# kubernetes = ">=1.29 <1.36"
`;

const EXTERNAL = `# Images that sites provide, and that the archive need not hold.
# external-images = ["registry.site.example/*"]
`;

const ORDER = `# A component that needs another one says so: after = ["NAME"]. "solpack check" reports problems before anything is packed.
`;

const NO_IMAGES = `# Images. "solpack images --write" adds all that the components name.
`;

const IMAGES = `# Images that were found here. "solpack images --write" adds all others that the components name.
`;

function componentText({ name, kind, path, values, notes }: NewComponent): string {
  const lines = [
    ...notes.map((note) => `# ${oneLine(note)}`),
    '[[components]]',
    `name = ${quoted(name)}`,
    `kind = ${quoted(kind)}`,
    `path = ${quoted(path)}`,
  ];
  if (values.length > 0) lines.push(`values = [${values.map(quoted).join(', ')}]`);
  else if (kind === 'helm') lines.push(`# values = ["values-${name}.yaml"]`);
  if (kind === 'helm') lines.push(`namespace = ${quoted(name)}`, 'create-namespace = true');
  else lines.push(`# namespace = ${quoted(name)}`);
  return `${lines.join('\n')}\n`;
}

function comments(lines: readonly string[]): string {
  return lines.map((line) => `# ${oneLine(line)}\n`).join('');
}

/** A comment ends with its line, and may have no control characters (TOML 1.0.0, "Comment"). */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}

/** A basic string (TOML 1.0.0, "String"), which is one of JSON except DEL. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
