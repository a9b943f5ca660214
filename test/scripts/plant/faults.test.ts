import { describe, expect, test } from 'vitest';
import { faultsIn, planted } from '../../../scripts/plant/faults.ts';

const each = (source: string): string[] => faultsIn(source).map((fault) => planted(source, fault));

describe('a fault that is planted', () => {
  test('is a comparison that is flipped', () => {
    expect(each("const a = b === 'x';")).toEqual(["const a = b !== 'x';"]);
    expect(each('while (a /* < */ < (b)) c();')).toEqual(['while (a /* < */ >= (b)) c();']);
    expect(each('const a = b + c, d = e >= f;')).toEqual(['const a = b + c, d = e < f;']);
  });

  test('is an await that is dropped', () => {
    expect(each('async function a() {\n  await b();\n}')).toEqual(['async function a() {\n  void b();\n}']);
    expect(each('async function a() {\n  return await b();\n}')).toEqual([]);
  });

  test('is a check that is skipped', () => {
    expect(each('function a(b) {\n  if (b) throw new Error();\n  if (c(b)) return;\n  if (b) d();\n}')).toEqual([
      'function a(b) {\n  if (false) throw new Error();\n  if (c(b)) return;\n  if (b) d();\n}',
      'function a(b) {\n  if (b) throw new Error();\n  if (false) return;\n  if (b) d();\n}',
    ]);
  });
});
