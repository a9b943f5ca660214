/** How a field is encoded: in both byte orders, in one, or as bytes without order. */
export type FieldKind = 'both32' | 'both16' | 'le32' | 'be32' | 'le16' | 'be16' | 'byte' | 'text' | 'octal';

/** A field of a structure, where a change is more likely to be parsed than elsewhere. */
export interface Field {
  readonly at: number;
  readonly kind: FieldKind;
  /** Bytes of it. */
  readonly size: number;
}

/** Fields by kind of structure. Each group is chosen equally often, however few fields it has. */
export type FieldGroups = Readonly<Record<string, Field[]>>;

const sizes: Readonly<Record<Exclude<FieldKind, 'text' | 'octal'>, number>> = {
  both32: 8,
  both16: 4,
  le32: 4,
  be32: 4,
  le16: 2,
  be16: 2,
  byte: 1,
};

/** Makes a field of a kind with a fixed size. */
export function field(at: number, kind: keyof typeof sizes): Field {
  return { at, kind, size: sizes[kind] };
}

/** Makes a field that is a run of bytes. */
export function run(at: number, size: number, kind: 'text' | 'octal' = 'text'): Field {
  return { at, kind, size };
}

/** Encodes `value` for a field of `kind`. */
export function encode(kind: Exclude<FieldKind, 'text' | 'octal'>, value: number): Buffer {
  const bytes = Buffer.alloc(sizes[kind]);
  const half = (offset: number, size: 2 | 4, order: 'le' | 'be'): void => {
    const fitting = value % 2 ** (8 * size);
    if (order === 'le') bytes.writeUIntLE(fitting, offset, size);
    else bytes.writeUIntBE(fitting, offset, size);
  };
  if (kind === 'byte') bytes[0] = value & 0xff;
  else {
    const size = kind.endsWith('32') ? 4 : 2;
    if (!kind.startsWith('be')) half(0, size, 'le');
    if (!kind.startsWith('le')) half(kind.startsWith('both') ? size : 0, size, 'be');
  }
  return bytes;
}

/** Decodes the present number of a field, in its first byte order. */
export function decode({ at, kind, size }: Field, bytes: Buffer): number {
  if (kind === 'text' || kind === 'octal') return 0;
  const width = kind.startsWith('both') ? size / 2 : size;
  return kind.startsWith('be') ? bytes.readUIntBE(at, width) : bytes.readUIntLE(at, width);
}
