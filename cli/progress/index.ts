import type { ProgressView } from '../command-session.ts';
import { jsonLine, type Sink } from '../io.ts';
import type { EventLine } from '../view/json-events.ts';
import { type Style, styleFor } from '../view/style.ts';
import { type Clock, processClock } from './clock.ts';
import { linesDrawing } from './lines.ts';
import { barDrawing } from './screen.ts';
import { noDrawing, shownBy } from './view.ts';

/** How progress is shown on stderr. */
export type ProgressStyle = 'bar' | 'lines' | 'json' | 'none';

/** Makes the view of progress for a style. `env` says whether it has colours. */
export function progressOf(
  style: ProgressStyle,
  sink: Sink,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock = processClock,
): ProgressView {
  if (style === 'json') return events(sink);
  const colours: Style = styleFor(sink, env);
  const drawings = { bar: barDrawing, lines: linesDrawing, none: noDrawing };
  return shownBy(drawings[style](sink, clock, colours), sink, clock);
}

function events(sink: Sink): ProgressView {
  const nothing = (): void => undefined;
  return {
    onEvent: (event) => sink.write(jsonLine({ schemaVersion: 1, ...event } satisfies EventLine)),
    hide: nothing,
    pause: nothing,
    end: nothing,
    stop: nothing,
    endure: nothing,
  };
}
