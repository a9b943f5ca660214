import { type Event, type OnEvent, sizeWords } from '../lib/index.ts';
import { jsonLine, plain, type Sink } from './io.ts';
import { printLines, readable } from './lines.ts';
import type { EventLine } from './view/json-events.ts';
import { cutTo } from './view/wrap.ts';

/** How progress is shown on stderr. */
export type ProgressStyle = 'bar' | 'lines' | 'json' | 'none';

/** Shows events. `end` removes what must not stay on the terminal. */
export interface ProgressView {
  readonly onEvent: OnEvent;
  end(): void;
}

/** Makes the view of progress for a style. */
export function progressOf(style: ProgressStyle, sink: Sink): ProgressView {
  if (style === 'json') {
    return {
      onEvent: (event) => sink.write(jsonLine({ schemaVersion: 1, ...event } satisfies EventLine)),
      end: () => undefined,
    };
  }
  if (style === 'bar') return bar(sink);
  return {
    onEvent: (event) => {
      if (event.type === 'notice') printLines(sink, readable([notice(event)], sink));
      if (event.type === 'step' && style === 'lines') sink.write(`${step(event)}\n`);
    },
    end: () => undefined,
  };
}

function step({ step: name, subject }: Extract<Event, { type: 'step' }>): string {
  return plain(`${name.padEnd(8)} ${subject ?? ''}`);
}

function notice({ subject, message }: Extract<Event, { type: 'notice' }>): string {
  return `note: ${plain(subject === undefined ? message : `${subject}: ${message}`)}`;
}

const FRAME = 80;

function bar(sink: Sink): ProgressView {
  let last = 0;
  const show = (text: string): void => sink.status(cutTo(text, Math.max(20, sink.columns - 1)));
  return {
    onEvent: (event) => {
      if (event.type === 'notice') printLines(sink, readable([notice(event)], sink));
      else if (event.type === 'step') show(step(event));
      else if (event.type === 'component') return;
      else if (Date.now() - last >= FRAME || event.done === event.total) {
        last = Date.now();
        show(drawn(event));
      }
    },
    end: () => sink.status(''),
  };
}

function drawn({ step: name, done, total }: Extract<Event, { type: 'progress' }>): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * 24);
  const gauge = `${'█'.repeat(filled)}${'░'.repeat(24 - filled)}`;
  return `${name.padEnd(8)} ${gauge} ${String(Math.floor(share * 100)).padStart(3)} %  ${sizeWords(done)} of ${sizeWords(total)}`;
}
