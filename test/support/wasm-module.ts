const leb = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
const section = (id: number, body: readonly number[]): number[] => [id, ...leb(body.length), ...body];
const text = (value: string): number[] => [value.length, ...Buffer.from(value)];

/** A WebAssembly module whose `_start` has these instructions; it imports `name` if one is given. */
export function wasmModule(
  code: readonly number[],
  { imports, pages = 1 }: { imports?: string; pages?: number } = {},
): Buffer {
  const start = imports === undefined ? 0 : 1;
  const body = [0, ...code, 0x0b];
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...(imports === undefined ? [] : section(2, [1, ...text('env'), ...text(imports), 0, 0])),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, ...text('_start'), 0, start, ...text('memory'), 2, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ]);
}
