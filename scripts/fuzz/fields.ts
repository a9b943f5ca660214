/** How a field stores what it says: in both byte orders, in one, or as bytes without order. */
export type FieldKind = 'both32' | 'both16' | 'le32' | 'be32' | 'le16' | 'be16' | 'byte' | 'text' | 'octal';

/** A field of a structure: where a change is likely to be understood rather than passed over. */
export interface Field {
  readonly at: number;
  readonly kind: FieldKind;
  /** Bytes of it. */
  readonly size: number;
}

/** Fields of one kind of structure; each group is chosen as often as the others, however few fields it has. */
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

/** A field of a kind that has one size. */
export function field(at: number, kind: keyof typeof sizes): Field {
  return { at, kind, size: sizes[kind] };
}

/** A field that is a run of bytes. */
export function run(at: number, size: number, kind: 'text' | 'octal' = 'text'): Field {
  return { at, kind, size };
}

/** What `value` is in a field of `kind`. */
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

/** The number that a field holds now, in its first byte order. */
export function decode({ at, kind, size }: Field, bytes: Buffer): number {
  if (kind === 'text' || kind === 'octal') return 0;
  const width = kind.startsWith('both') ? size / 2 : size;
  return kind.startsWith('be') ? bytes.readUIntBE(at, width) : bytes.readUIntLE(at, width);
}
