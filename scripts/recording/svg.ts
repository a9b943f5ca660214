import type { Cast } from './cast.ts';
import { linesOf, type PrintedLine, type Run } from './lines.ts';

/** Sizes in pixels: of a character, of a line, and of the border around the screen. */
const size = { column: 7.8, line: 18, border: 14 } as const;

/** Seconds that pass at least and at most before the next line, and for which the last screen stays. */
const pace = { least: 0.18, most: 1.5, last: 6 } as const;

/**
 * Draws a recording as SVG that plays without a script, again and again: all lines are there as text, one below the
 * other; a cover uncovers the first screen, and then they move up as they were printed. Who wants no motion, and what
 * knows no animation, shows the last screen.
 */
export function recordingSvg(cast: Cast): string {
  const lines = linesOf(cast);
  const width = Math.ceil(cast.width * size.column + 2 * size.border);
  const screen = cast.height * size.line;
  const height = screen + 2 * size.border;
  const { uncovering, moving, seconds } = played(lines, cast.height);
  const frames = (steps: readonly Step[]): string =>
    steps.map(({ at, y }) => `${percent(at / seconds)} { transform: translateY(${y}px); }`).join('\n');
  return `<svg role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(cast.title)}</title>
<style>
.screen { fill: #0d1117; }
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre; }
.bold { font-weight: 700; fill: #ffffff; }
.dim { fill: #9198a1; }
.green { fill: #3fb950; }
.lines { transform: translateY(${moving.at(-1)!.y}px); }
.cover { transform: translateY(${uncovering.at(-1)!.y}px); }
@media (prefers-reduced-motion: no-preference) {
.lines { animation: move ${seconds.toFixed(1)}s step-end infinite; }
.cover { animation: uncover ${seconds.toFixed(1)}s step-end infinite; }
}
@keyframes move {
${frames(moving)}
}
@keyframes uncover {
${frames(uncovering)}
}
</style>
<rect class="screen" width="${width}" height="${height}" rx="8"/>
<svg aria-hidden="true" x="${size.border}" y="${size.border}" width="${width - 2 * size.border}" height="${screen}">
<g class="lines">
${lines.map(drawnLine).join('')}</g>
<rect class="screen cover" width="${width}" height="${screen}"/>
</svg>
</svg>
`;
}

/** Where something stands, in pixels below the top, from a second on. */
interface Step {
  readonly at: number;
  readonly y: number;
}

/** What a recording shows when. */
interface Played {
  /** Of the cover, until it is below the screen. */
  readonly uncovering: readonly Step[];
  /** Of the lines, once the screen is full. */
  readonly moving: readonly Step[];
  /** How long all of it takes. */
  readonly seconds: number;
}

function played(lines: readonly PrintedLine[], rows: number): Played {
  const uncovering: Step[] = [{ at: 0, y: 0 }];
  const moving: Step[] = [{ at: 0, y: 0 }];
  let at: number = pace.least;
  let before = 0;
  for (const [index, { at: printed }] of lines.entries()) {
    // No faster than a person reads, and no slower than one waits.
    at += Math.min(Math.max(printed - before, pace.least), pace.most);
    before = printed;
    if (index < rows) uncovering.push({ at, y: (index + 1) * size.line });
    else moving.push({ at, y: (rows - index - 1) * size.line });
  }
  return { uncovering, moving, seconds: at + pace.last };
}

function drawnLine({ runs }: PrintedLine, index: number): string {
  if (runs.length === 0) return '';
  return `<text y="${(index + 1) * size.line - 5}">${runs.map(drawnRun).join('')}</text>\n`;
}

function drawnRun({ look, text }: Run): string {
  return look === 'plain' ? escaped(text) : `<tspan class="${look}">${escaped(text)}</tspan>`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(2)}%`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
