import { type MinorRange, minorRange } from './minors.ts';
import shapes from './shapes.json' with { type: 'json' };

/** Describes what a value may be. */
export type ApiShape =
  | { readonly is: 'string'; readonly values: readonly string[] | undefined }
  | { readonly is: 'integer'; readonly bits: 32 | 64 }
  | { readonly is: 'number' | 'boolean' | 'quantity' | 'integer or string' | 'time' | 'bytes' | 'object' | 'anything' }
  | {
      readonly is: 'list';
      readonly of: ApiShape;
      /** The fields that tell its entries apart. */
      readonly keys: readonly string[] | undefined;
      /** Whether each entry may be there once only. */
      readonly isSet: boolean;
    }
  | { readonly is: 'map'; readonly of: ApiShape }
  | { readonly is: 'type'; readonly name: string };

/** Describes a field of a type. */
export interface FieldShape extends MinorRange {
  readonly shape: ApiShape;
  readonly isRequired: boolean;
}

/** Holds a type of the API: what each of its fields may be, or what it stands for. */
export type ApiType = { readonly fields: ReadonlyMap<string, FieldShape> } | { readonly stands: ApiShape };

const lines: ReadonlyMap<string, string> = new Map(Object.entries(shapes));
const read = new Map<string, ApiType>();

/** Finds a type by a name such as `core.v1.Container`; undefined where nothing is known of it. */
export function typeNamed(name: string): ApiType | undefined {
  const line = lines.get(name);
  if (line === undefined) return undefined;
  const known = read.get(name) ?? parseType(line, name);
  read.set(name, known);
  return known;
}

/** Finds the type of a kind of Kubernetes itself. */
export function typeOfKind(apiVersion: string, kind: string): ApiType | undefined {
  const slash = apiVersion.indexOf('/');
  const room = slash < 0 ? 'core' : apiVersion.slice(0, slash).split('.')[0];
  return typeNamed(`${room}.${apiVersion.slice(slash + 1)}.${kind}`);
}

/** Reads a line of `shapes.json`, as `scripts/kubernetes-facts/shapes.ts` writes it. */
function parseType(line: string, name: string): ApiType {
  if (!line.includes(':')) return { stands: parseShape(line, name) };
  const fields = line.split(' ').map((word): [string, FieldShape] => {
    const [, field, required, range, shape] = /^([^!@:]+)(!?)(?:@([\d-]+))?:(.*)$/.exec(word)!;
    return [field!, { shape: parseShape(shape!, name), isRequired: required !== '', ...minorRange(range) }];
  });
  return { fields: new Map(fields) };
}

const letters: Readonly<Record<string, ApiShape>> = {
  s: { is: 'string', values: undefined },
  i: { is: 'integer', bits: 32 },
  l: { is: 'integer', bits: 64 },
  n: { is: 'number' },
  b: { is: 'boolean' },
  q: { is: 'quantity' },
  x: { is: 'integer or string' },
  t: { is: 'time' },
  y: { is: 'bytes' },
  o: { is: 'object' },
  '*': { is: 'anything' },
};

function parseShape(text: string, owner: string): ApiShape {
  if (text.startsWith('[')) {
    const end = text.lastIndexOf(']');
    const suffix = text.slice(end + 1);
    const keys = suffix.startsWith('/') ? suffix.slice(1).split(',') : undefined;
    return { is: 'list', of: parseShape(text.slice(1, end), owner), keys, isSet: suffix === '=' };
  }
  if (text.startsWith('{')) return { is: 'map', of: parseShape(text.slice(1, -1), owner) };
  if (text.startsWith('s(')) return { is: 'string', values: text.slice(2, -1).split('|') };
  const letter = letters[text];
  if (letter) return letter;
  return { is: 'type', name: text.includes('.') ? text : `${owner.slice(0, owner.lastIndexOf('.'))}.${text}` };
}
