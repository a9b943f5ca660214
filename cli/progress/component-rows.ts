import { count, plain } from '../io.ts';
import { inAscii } from '../lines.ts';
import type { Style } from '../view/style.ts';
import { columnsOf, cutTo, wrap } from '../view/wrap.ts';
import type { CourseComponent, ShownState } from './shown.ts';
import { wholeTime } from './times.ts';

/** Columns of a state, of a time, and of names at most. */
const widths = { state: 10, time: 11, name: 30 } as const;

/** Where a state begins, and a reason that stands in rows of its own. */
const indent = { state: 2, reason: 12 } as const;

/** Columns beside a name for which a reason is worth being cut. */
const WORTH = 20;

/** How much room there is. */
interface Room {
  readonly columns: number;
  readonly rows: number;
  readonly isAscii: boolean;
}

/** What is the same for all components. */
interface Drawing {
  readonly now: number;
  readonly names: ReadonlyMap<CourseComponent, string>;
  /** Columns of the longest name. */
  readonly width: number;
  readonly room: Room;
  readonly style: Style;
}

/**
 * Draws components in their order, each with its state, how long that took, and what it waits for. Where there is no
 * room for all, reasons take one row, then those that are ready take one row together, then those whose turn has not
 * come.
 */
export function componentRows(components: readonly CourseComponent[], now: number, room: Room, style: Style): string[] {
  const names = new Map(components.map((one) => [one, nameOf(one, components, room)]));
  const width = [...names.values()].reduce((most, name) => Math.max(most, columnsOf(name)), 0);
  const drawing = { now, names, width, room, style };
  const draw = (rows: number, ...folded: ShownState[]): string[] => [
    ...foldedRow(components, folded, 'ready', style),
    ...components.filter(({ state }) => !folded.includes(state)).flatMap((one) => rowsOf(one, rows, drawing)),
    ...foldedRow(components, folded, 'pending', style),
  ];
  const all = [draw(2), draw(1), draw(1, 'ready'), draw(1, 'ready', 'pending')];
  const fitting = all.find((rows) => rows.length <= room.rows);
  if (fitting !== undefined) return fitting;
  const rows = all.at(-1)!;
  return [...rows.slice(0, room.rows - 1), `  and ${rows.length - room.rows + 1} more`];
}

/** One row for all components of a state. */
function foldedRow(
  components: readonly CourseComponent[],
  folded: readonly ShownState[],
  state: ShownState,
  style: Style,
): string[] {
  const number = components.filter((one) => one.state === state).length;
  if (!folded.includes(state) || number === 0) return [];
  return [`  ${painted(state, style)}${' '.repeat(widths.time + 2)}${count(number, 'component')}`];
}

/** Names a component; with its Solution, where there are several. */
function nameOf({ solution, component }: CourseComponent, all: readonly CourseComponent[], room: Room): string {
  const isAlone = all.every((one) => one.solution === solution);
  return cut(plain(isAlone ? component : `${solution}, ${component}`), widths.name, room);
}

/** Draws a component. Its reason takes so many rows at most: beside its name, or below it. */
function rowsOf(one: CourseComponent, most: number, { now, names, width, room, style }: Drawing): string[] {
  const { state, begun, ended } = one;
  const time = begun === undefined ? '' : wholeTime((ended ?? now) - begun);
  const name = names.get(one)!;
  const start = `  ${state.padEnd(widths.state)}${time.padStart(widths.time)}  ${name}`;
  const reason = reasonOf(one);
  const gap = ' '.repeat(width - columnsOf(name) + 2);
  const beside = room.columns - columnsOf(start) - gap.length;
  const isBeside = columnsOf(reason) <= beside || (most === 1 && beside >= WORTH);
  const first = isBeside ? `${start}${gap}${reason}`.trimEnd() : start;
  const rows = isBeside || most === 1 ? [] : below(reason, most, room);
  const head = cut(first, room.columns, room).slice(indent.state + widths.state);
  return [`  ${painted(state, style)}${head}`, ...rows];
}

/** Breaks a reason into rows of its own. */
function below(reason: string, most: number, room: Room): string[] {
  const columns = room.columns - indent.reason;
  const lines = wrap(reason, columns);
  const kept = lines.slice(0, most - 1);
  if (lines.length > kept.length) kept.push(lines.slice(kept.length).join(' '));
  return kept.map((line) => `${' '.repeat(indent.reason)}${cut(line, columns, room)}`);
}

function painted(state: ShownState, style: Style): string {
  const padded = state.padEnd(widths.state);
  if (state === 'ready') return style.good(padded);
  return state === 'failed' ? style.bad(padded) : padded;
}

function reasonOf({ state, reason, after }: CourseComponent): string {
  if (state === 'pending' && after.length > 0) return plain(`after ${after.join(', ')}`);
  return state === 'ready' || reason === undefined ? '' : plain(reason);
}

function cut(text: string, columns: number, { isAscii }: Pick<Room, 'isAscii'>): string {
  return isAscii ? cutTo(inAscii(text), columns, '...') : cutTo(text, columns);
}
