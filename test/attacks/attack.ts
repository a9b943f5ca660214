import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectRefused, type Format, type Stage } from './stage.ts';
import { rowOf } from './table.ts';

/** Makes an archive of an attack out of the bytes of a good one: returns others as a Buffer, or has changed them. */
export type Forge = (bytes: Buffer, format: Format) => unknown;

/** Milliseconds for one attack on both formats, on a slow machine. */
export const PATIENCE = 120_000;

/** An attack of the tables in docs/attacks.md, by the name that it has there, on each format that `forges` names. */
export function attack(stage: Stage, name: string, forges: Partial<Record<Format, Forge>>): void {
  const { codes, exit } = rowOf(name);
  test(
    `${name}: ${codes.join(', ')}, exit status ${exit}`,
    async () => {
      for (const [format, forge] of Object.entries(forges) as [Format, Forge][]) {
        const bytes = stage.bytes(format);
        const made = await forge(bytes, format);
        const forged = Buffer.isBuffer(made) ? made : bytes;
        expect(forged.equals(stage.bytes(format))).toBe(false);
        writeFileSync(join(stage.folder, `attack.${format}`), forged);
        await expectRefused(stage, name, `attack.${format}`);
      }
    },
    PATIENCE,
  );
}

/** The same forge for both formats. */
export function both(forge: Forge): Record<Format, Forge> {
  return { iso: forge, tar: forge };
}
