import { expect } from 'vitest';
import { PositionedError } from '../../formats/error.ts';

/** What `parse` finds wrong, each as `line:column: message`; nothing where it accepts its text. */
export function positionsIn(parse: () => unknown): readonly string[] {
  return problemsIn(parse).map(({ position, message }) => `${position.line}:${position.column}: ${message}`);
}

/** The pieces of `source` that `parse` points at, where it refuses it. */
export function pointedAt(source: string, parse: () => unknown): readonly string[] {
  return problemsIn(parse).map(({ position: { line, column, length } }) =>
    source.split('\n')[line - 1]!.slice(column - 1, column - 1 + length),
  );
}

/** Expects that all that `parse` points at is in `source`, if it refuses it. */
export function expectInside(source: string, parse: () => unknown): void {
  const lines = source.split(/\r?\n/);
  for (const { position, lineText } of problemsIn(parse)) {
    const { line, column, length } = position;
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines.length);
    const here = lines[line - 1]!;
    if (lineText !== undefined) expect(lineText).toBe(here);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual(here.length + 1);
    expect(length).toBeGreaterThanOrEqual(1);
    // One behind the end of a line stands for that end.
    expect(column - 1 + length).toBeLessThanOrEqual(Math.max(here.length, column));
  }
}

function problemsIn(parse: () => unknown): PositionedError['problems'] {
  try {
    parse();
  } catch (error) {
    if (error instanceof PositionedError) return error.problems;
    throw error;
  }
  return [];
}
