import { locateToml } from './toml-fields.ts';

/**
 * Sets `key` of a TOML document (`name`, or `table.name`) to a value that is written as TOML has it. All else stays as
 * it is, comments too. The document must have been accepted by a TOML parser before.
 */
export function setInToml(source: string, key: string, written: string): string {
  const there = locateToml(source).get(key);
  if (there !== undefined) {
    const equals = source.indexOf('=', there.nameEnd);
    return `${source.slice(0, equals + 1)} ${written}${source.slice(there.end)}`;
  }
  const dot = key.lastIndexOf('.');
  const [table, name] = [key.slice(0, Math.max(dot, 0)), key.slice(dot + 1)];
  const line = `${name} = ${written}\n`;
  const start = source === '' || source.endsWith('\n') ? source : `${source}\n`;
  if (table === '') {
    // What stands before the first table is in none.
    const first = /^[ \t]*\[/m.exec(start)?.index ?? start.length;
    return `${start.slice(0, first)}${line}${start.slice(first)}`;
  }
  const behind = behindHeader(start, table);
  if (behind === undefined) return `${start}${start === '' ? '' : '\n'}[${table}]\n${line}`;
  return `${start.slice(0, behind)}${line}${start.slice(behind)}`;
}

/** Returns what `key` of a TOML document is set to, as it is written there; undefined where it is not set. */
export function writtenInToml(source: string, key: string): string | undefined {
  const there = locateToml(source).get(key);
  return there && source.slice(source.indexOf('=', there.nameEnd) + 1, there.end).trim();
}

/** Takes the line of `key` out of a TOML document, and the header of its table where nothing else is left in that. */
export function removeFromToml(source: string, key: string): string {
  const there = locateToml(source).get(key);
  if (there === undefined) return source;
  const start = source.lastIndexOf('\n', there.start - 1) + 1;
  const newline = source.indexOf('\n', there.end);
  const left = `${source.slice(0, start)}${newline < 0 ? '' : source.slice(newline + 1)}`;
  const table = key.slice(0, Math.max(key.lastIndexOf('.'), 0));
  return table === '' ? left : withoutEmptyTable(left, table);
}

function withoutEmptyTable(source: string, table: string): string {
  const behind = behindHeader(source, table);
  if (behind === undefined) return source;
  const next = /^[ \t]*\[/m.exec(source.slice(behind));
  const body = source.slice(behind, next === null ? source.length : behind + next.index);
  if (body.trim() !== '') return source;
  const header = source.lastIndexOf('\n', behind - 2) + 1;
  const before = source.slice(0, header);
  return `${before.endsWith('\n\n') ? before.slice(0, -1) : before}${source.slice(behind + body.length)}`;
}

/** Where the line behind the header of a table begins; undefined where the text has none. */
function behindHeader(source: string, table: string): number | undefined {
  let at = 0;
  for (const line of source.split('\n')) {
    at += line.length + 1;
    if (/^[ \t]*\[([^[\]]*)\]/.exec(line)?.[1]?.trim() === table) return at;
  }
  return undefined;
}
